/* Values and facts: the abstract domain. Everything here is independent of states.
 *
 *   location.c  objects, locations below them, names of tensors and shapes: the heap of a root
 *   value.c     abstract values: numbers, addresses, tensors, functions
 *   union.c     all that either of two values can be
 *   number.c    arithmetic and conversion of numbers
 *   compare.c   comparisons, and the tests that branches refine by
 *   fact.c      facts about tensors: join, meet, print
 *   shape.c     shapes: element counts, printing
 *   range.c     ranges of elements: what a dtype makes of them, join, print
 *   range_arith.c  ranges of elements: arithmetic
 *   key.c       keys of what is made at a place of the program, and tables of them
 *
 * A location is a place in memory: an object and a path of fields and elements below it. A tensor
 * is named by where it was made; locations hold names, and a state holds one fact per name, so that
 * what is learned about a tensor holds for everyone who refers to it. */
#ifndef ANALYZER_FLOW_VALUES_H
#define ANALYZER_FLOW_VALUES_H

#include "analyzer/condition/condition.h"
#include "analyzer/flow/flow.h"

/* ---- keys ------------------------------------------------------------------------------------ */

/* What a key stands for. */
enum key_kind {
    KEY_CONTEXT = 1,     /* a chain of calls: of the caller's, a call, the callee */
    KEY_LOCAL,           /* a local variable: of a context */
    KEY_STATIC_LOCAL,    /* of a function */
    KEY_REGISTERS,       /* the values of a frame that are used in several blocks */
    KEY_GLOBAL,          /* of a name, and of a unit if it is internal */
    KEY_INITIAL,         /* what a location held before the program */
    KEY_ASSUMED,         /* the tensor that is assumed to be at a location */
    KEY_LOADED,          /* what was loaded: of a context, an instruction */
    KEY_LOADED_UNKNOWN,  /* the same through a pointer to nothing known */
    KEY_UNKNOWN_RESULT,  /* of a call of a function that is not followed */
    KEY_RECORD_RESULT,   /* the copy of a record that a function returned */
    KEY_RECORD_ARGUMENT, /* of one that is passed to a recursive function */
    KEY_RECURSIVE_RESULT,
    KEY_LOOP_TEXT, /* one of those that iterations found: of a location */
    KEY_LEFT_TEXT, /* those that calls of which nothing is known leave: of a location */
    KEY_RECURSIVE_TENSOR,
    KEY_PACK_TENSOR,       /* a tensor that a pack call made; index: the result, out-parameters */
    KEY_PACK_OLDER_TENSOR, /* those that the same call made earlier */
    KEY_CHOSEN_TENSOR,     /* the one of several that a variable is after the program asked */
    KEY_PACK_BOX,
    KEY_PACK_RECORD,
    KEY_PACK_RESULT,
    KEY_PACK_FAILED_RESULT, /* behind a call that fails */
    KEY_RAW_MEMORY,         /* that a pack call returned; index: the result, out-parameters */
    KEY_OLDER_MEMORY,       /* that the same call returned earlier */
    KEY_MEMORY_TENSOR,      /* what describes an object as raw memory */
    KEY_FRESH,              /* unknown numbers, each of which is another one */
    KEY_VERSION,            /* of an object: which contents it has */
    KEY_VISITED,            /* the elements that a counter went over: of its location */
    KEY_EXTENT,             /* how many elements a loop went over: of the location of an array */
    KEY_REGIONS,            /* the autocast and no-grad modes in force */
    KEY_SAVED_REGIONS,      /* those that the end of a region restores */
    KEY_REGION_TOKEN,
    KEY_ENDS,     /* what is run at the end of the program */
    KEY_SORTED,   /* copies of the elements of an array */
    KEY_LOOKUPS,  /* whether one returned nothing */
    KEY_ELEMENTS, /* of each tensor: their number */
    KEY_NAMES,    /* tensors by the names that the program gave them */
    KEY_MOVED,    /* of each tensor: whether a cast or move made another of it */
    KEY_TAPE_NODE,
    KEY_OLDER_TAPE_NODE, /* those that the same call recorded earlier */
    KEY_SCALED_GRADIENTS,
    KEY_VISIT,          /* of a function, an instruction */
    KEY_CONTRACT,       /* the same, and the call that entered the function */
    KEY_FAILURE,        /* of a function, an instruction; index: enum error_kind */
    KEY_MISSING,        /* a call of a function that is neither here nor in a pack */
    KEY_DEVICE,         /* an argument of a call, which names a device */
    KEY_LIMIT,          /* of a function, a place in it; index: enum flow_limit */
    KEY_ASSUMPTION,     /* the same; index: enum flow_assumed */
    KEY_OPTIMIZER_STEP, /* a call; a tensor that it updates */
    KEY_DYNAMIC,        /* an object of a dynamic language: a context, an instruction */
    KEY_NAMED,          /* a module, or a name in one, by its dotted name */
    KEY_OUTSIDE,        /* what is not known, by the place that it is read from */
    KEY_REGISTERED,     /* a tensor that a module registers, by its field */
    KEY_SHOWN,          /* a call in code that is not shown, as one of the caller's */
};

struct key {
    uint64_t of, at, more;
    uint32_t kind; /* enum key_kind */
    uint32_t index;
};

static inline struct key key_of(enum key_kind kind, uint64_t of, uint64_t at)
{
    return (struct key){.kind = kind, .of = of, .at = at};
}

static inline struct key key_of_index(enum key_kind kind, uint64_t of, uint64_t at, int index)
{
    return (struct key){.kind = kind, .of = of, .at = at, .index = (uint32_t)index};
}

struct key_map;
struct key_map *key_map_new(struct arena *a);
void *key_map_get(const struct key_map *m, struct key k);       /* NULL if absent */
void key_map_put(struct key_map *m, struct key k, void *value); /* replaces */

/* Results by all that they depend on. */
struct memo;
struct memo *memo_new(struct arena *a);
/* Where the value for these words is; NULL is there the first time. */
void **memo_at(struct memo *m, const uint64_t *words, size_t count);

/* ---- locations ------------------------------------------------------------------------------- */

enum object_kind {
    OBJECT_LOCAL, /* of a function, in a frame */
    OBJECT_GLOBAL,
    OBJECT_UNKNOWN, /* what an input pointer points to */
    OBJECT_MADE     /* by a call: raw memory, a record returned, a boxed operand */
};

struct dynamic;
struct object {
    int id;
    enum object_kind kind;
    bool is_const;  /* of globals: only its initialiser writes it */
    bool many;      /* stands for several objects: all writes to it are weak */
    bool is_one;    /* of unknown ones: what a pointer leads to that is the same in all of a run */
    bool counts;    /* holds nothing but a number that is another one after each change */
    bool is_note;   /* no fact depends on it: states that differ in nothing else are the same */
    bool is_fresh;  /* holds unknown numbers that are others each time the code is run */
    bool is_result; /* holds the unknown result of a computation: no program can name it */
    bool is_part;   /* with that: it stands for all numbers of its range that are given again */
    bool again;     /* raw memory allocated again while still in use: pointers written to it
                       are weak updates, so that lists are finite */
    bool is_apart;  /* a text of a loop: what changed together with it is not known together */
    bool has_elements;     /* some of its elements were asked for */
    bool has_strings;      /* texts were written to elements that are not known: strings.c */
    bool has_indices;      /* there are locations of elements at numbers that are not known */
    bool unknown_contents; /* what was never written may be anything (else: zero or undefined) */
    bool forgotten;        /* code that is not here may have written to it */
    const char *name;      /* of a variable; "": it has none */
    const struct access_path *pointer; /* of unknown ones: the place that points to it */
    const struct type *type;
    const void *frame; /* of locals: they die with the frame */
    int local;         /* of locals: the index in the function; of what a call made: its index */
    int memory; /* the name of the tensor that describes it as raw memory; 0: only its type is
                   known */
    const struct loc *root;            /* the location of the whole object; NULL: not made yet */
    const struct loc *const *operands; /* of a computation: the unknown numbers that are others each
                                          time, up to NULL; NULL: none */
    int steps;                 /* of a result: the longest chain of computations that led to it */
    int last_loc;              /* the id of the last location made in it; the root's is the first */
    const struct step *source; /* of unknown ones: where the pointer came from; NULL: not known */
    const struct loc *among; /* of one of several texts: any of them; NULL: it stands for itself */
    const char *text;        /* of a literal; NULL: it is none */
    const struct unknown_text *unknown_text; /* the same of a text that is not known */
    const struct loc *length_of; /* of a number: the unknown text that has this length; NULL: none
                                  */
    const struct loc *counter;   /* of the elements that one went over: it; NULL: something else */
    const struct operation *operation; /* how the number in it was computed; NULL: not so */
    struct dynamic *is;                /* what it is in a dynamic language; NULL: nothing */
};

/* A text that is not known, but is the same wherever it was copied. */
struct unknown_text {
    const uint64_t *words; /* how it was computed, or where it was copied from */
    int count;
    const struct loc *const
        *fresh;             /* unknown numbers in it that are others each time, up to NULL */
    const struct loc *from; /* where it was copied from; NULL: it was formatted */
    int64_t version;        /* of the contents there */
    int64_t limit;          /* how many characters of it there are at most */
    const char *prefix;     /* it begins with this */
    const char *pattern;    /* what is known, with TEXT_HOLE for what is not; NULL: nothing */
};
#define TEXT_HOLE '\1'

/* An operand of an operation: the initial value of a location, or a number. */
struct operation_side {
    const struct loc *loc; /* NULL: the number */
    int64_t number;
};

/* How an unknown integer was computed from others; of unary operators, y is 0. */
struct operation {
    enum ir_arith arith;
    bool is_unsigned;
    struct operation_side x, y;
};

enum { ELEMENT_ANY = -1 };

struct loc {
    int id; /* in order of creation: deterministic */
    struct object *object;
    const struct loc *parent; /* NULL: the whole object */
    const char *field;        /* NULL: an element */
    int64_t element;          /* ELEMENT_ANY: any of them */
    bool some_any;            /* the path contains ELEMENT_ANY */
    bool has_element;
    const struct loc *index; /* of any element: the one at this number; NULL: whichever */
    const struct loc *any; /* the same with whichever elements; NULL: the path has no such index */
    struct loc_cache *known;
};

/* What was found out about a location. */
struct loc_cache {
    struct loc *next;            /* of the same hash, in the heap */
    int assumption;              /* 0: not looked up yet, -1: none, else its number from 1 */
    const struct type *type;     /* NULL: not known yet */
    const struct value *initial; /* what it held before the program wrote it; NULL: not read yet */
    int mark;                    /* the last time that it was found to be held: path_forget.c */
};

/* Locations and names of tensors are made once per root, and shared by all its states. Shapes are
 * shared with the heap given as `like`; NULL: its own. */
struct heap;
struct shapes;
struct shapes *shapes_new(void);
void shapes_free(struct shapes *s);
struct heap *heap_new(struct arena *a, struct shapes *shapes);
/* name: NULL for unknown ones, whose pointer is set afterwards. */
/* For what was not read from a place with a name: the result of a call, or anything else. */
extern const struct access_path place_result, place_unnamed;
struct object *object_new(struct heap *h, enum object_kind kind, const char *name,
                          const struct type *type);
/* The object with this key; created by object_new the first time. */
struct object *object_at(struct heap *h, struct key key, enum object_kind kind, const char *name,
                         const struct type *type);
/* The unknown text with this key; created the first time. */
const struct loc *unknown_text_at(struct heap *h, struct key key);
const struct loc *loc_root(struct heap *h, struct object *o);
const struct loc *loc_field(struct heap *h, const struct loc *of, const char *field);
/* The field of an array of characters that no program can name: its text as a whole. */
extern const char text_field[];
/* The same of an element: whether it was written. */
extern const char written_field[];
/* The same of all elements: where the number is counted at which they are filled, which never were
 * before. */
extern const char filler_field[];
const struct loc *loc_element(struct heap *h, const struct loc *of, int64_t element);
/* The element whose index is the initial value of a location. */
const struct loc *loc_element_at(struct heap *h, const struct loc *of, const struct loc *index);
/* An enumeration or a flag rather than a counter: a dtype that a loop over arguments selected, or a
 * field that no program can name. */
bool type_is_choice(const struct type *t);
bool loc_is_choice(const struct loc *l);
/* A record with a number next to pointers: it may say what these are. */
bool type_is_tagged(const struct type *t);
/* Whether the two may be the same place: equal but for elements of which one is any. */
bool loc_may_be(const struct loc *x, const struct loc *y);
/* The same, or that one is a part of the other. */
bool loc_may_overlap(const struct loc *x, const struct loc *y);
/* Equal but for the indices of elements. */
bool loc_is_alike(const struct loc *x, const struct loc *y);
bool loc_is_below(const struct loc *l, const struct loc *top);
/* It stands for the elements that a counter went over. */
bool loc_is_visited(const struct loc *l);
const struct type *loc_type(const struct loc *l); /* NULL: not known */
unsigned loc_flags(const struct loc *l);          /* of the field that it is */
bool loc_is_fixed(const struct loc *l); /* a field that nobody sets again, such as a reference */
/* The same place in memory that was allocated, as a member of all of it or of its first element;
 * NULL: there is no other name for it. */
const struct loc *loc_twin(struct heap *h, const struct loc *l);
/* The place below `to` that corresponds to l below `from`. */
const struct loc *loc_rebase(struct heap *h, const struct loc *l, const struct loc *from,
                             const struct loc *to);
/* The shape with these dimensions; equal shapes are the same pointer. */
const struct shape *shape_at(struct heap *h, int count, const int64_t *dims);
/* The name of the tensor with this key; the same each time. */
int tensor_name(struct heap *h, struct key key);
int heap_tensor_count(const struct heap *h); /* the last name given out */
struct key tensor_key(const struct heap *h, int name);

/* A factor times numbers that are not known: the initial values of locations, by their ids. */
enum { AMOUNT_MOST = 6 };
struct amount {
    int64_t factor;
    int count;
    const struct loc *of[AMOUNT_MOST];
};

/* The size of each dimension of a tensor; of raw memory its size in bytes, as the only one. Equal
 * extents of a root are the same pointer. */
struct extent {
    int count;
    struct amount dims[SHAPE_MAX];
};

/* ---- values ---------------------------------------------------------------------------------- */

enum value_kind {
    VALUE_NOTHING, /* no value reaches here */
    VALUE_ANY,
    VALUE_NUMBER,
    VALUE_TENSOR,
    VALUE_ADDRESS, /* of locations; none and null: the null pointer */
    VALUE_FUNCTION,
    VALUE_ZEROED, /* of a location, in a state: everything below it that was not written since is 0
                   */
    VALUE_GUARDED /* one of several, by a condition: states/guard.c */
};

enum { VALUE_MAX = 4, FUNCTIONS_MAX = 32 };

/* In a dynamic language, what a number is the name of: it is no number that a program sees. */
enum value_names { NAMES_NOTHING, NAMES_DTYPE, NAMES_DEVICE };

struct value;

/* What a truth value says about another value, for refining that on a branch: the operand compared
 * with a constant. */
struct test {
    enum ir_arith arith;
    int64_t number;
    const struct value *of;
    bool same; /* no comparison: the value is a copy of that initial value */
};

/* A query about tensors whose answer is a number: dtype_of(x). */
struct query {
    enum question question;
    int tensors[4];
    int count;
    const struct pack_function *asker; /* for its dtype and device constants */
    const struct loc *from;            /* where the tensors are; NULL: not known */
};

struct value {
    uint8_t kind;
    uint8_t null;  /* enum tri: tensors, addresses, functions */
    uint8_t count; /* of names below; numbers: of exact values, 0: the range low..high; anything:
                      of objects that it may point into, 0: not known */
    bool is_real;  /* numbers: a float */
    bool is_bool;  /* numbers: of bool kind */
    bool has_real; /* `real` is its value */
    uint8_t names; /* numbers: enum value_names */
    uint8_t unit;  /* numbers: enum dtype of the elements whose bytes it counts; DTYPE_NONE: not
                      known, or something else */
    uint16_t elements; /* addresses: bits 1 << dtype of the declared element types; 0: none. They
                          are of those in DTYPES_ALL */
    union {
        int tensor[VALUE_MAX];
        const struct loc *loc[VALUE_MAX];
        const struct ir_function *function[VALUE_MAX];
        const struct ir_function *const *functions; /* where count > VALUE_MAX: a table */
        int64_t number[VALUE_MAX];
        struct {
            int64_t low, high;
            uint64_t isnt; /* bits 1 << n: the small n between them that are excluded */
        } range;
        struct {
            diagram cases;  /* its leaves are values */
            bool points;    /* some of them are addresses */
            uint64_t names; /* of the tensors among them, hashed to bits */
        } guard;
        double real;
    } as;
    const struct test *test;
    union {
        const struct query *query; /* numbers */
        const struct step *via;    /* tensors: the call that returned it unchanged; NULL: none */
    };
    const struct loc *origin; /* where it was loaded from */
};

static inline const struct query *value_query(const struct value *v)
{
    return v->kind == VALUE_NUMBER ? v->query : NULL;
}

/* What it asks of tensors, or what it tests asks; NULL: nothing. */
static inline const struct query *value_asks(const struct value *v)
{
    const struct query *own = value_query(v);
    return own ? own : v->test && v->test->of ? value_query(v->test->of) : NULL;
}

/* It is the initial value of a location, or a copy of one. */
static inline bool value_is_initial(const struct value *v)
{
    return v->kind == VALUE_NUMBER && v->test && v->test->same;
}

/* The bounds of an integer. */
static inline int64_t value_low(const struct value *v)
{
    return v->count ? v->as.number[0] : v->as.range.low;
}

static inline int64_t value_high(const struct value *v)
{
    return v->count ? v->as.number[v->count - 1] : v->as.range.high;
}

static inline bool value_is_null_constant(const struct value *v)
{
    return v->kind == VALUE_ADDRESS && v->count == 0 && v->null == TRI_YES;
}

static inline const struct ir_function *const *value_functions(const struct value *v)
{
    return v->count <= VALUE_MAX ? v->as.function : v->as.functions;
}

extern const struct value value_any, value_nothing;
struct value value_int(int64_t n);
struct value value_range(int64_t low, int64_t high);
/* The same without the small numbers whose bits, 1 << n, are set. VALUE_NOTHING if it is empty. */
struct value value_range_without(int64_t low, int64_t high, uint64_t isnt);
/* The bit of a small number; 0: it is not small. */
uint64_t value_small_bit(int64_t n);
/* Bits 1 << n of the small numbers that an integer excludes. */
uint64_t value_isnt(const struct value *v);
/* Whether an integer can be n. */
bool value_can_be(const struct value *v, int64_t n);
struct value value_real(double r);
struct value value_unknown_real(void);
struct value value_null(void);
struct value value_zero_of(const struct type *type);
struct value value_of_tensor(int id);
struct value value_of_loc(const struct loc *l);
struct value value_of_function(const struct ir_function *f);
bool value_equal(const struct value *a, const struct value *b);
/* Equal, and copies of the same initial value if they are copies. */
bool value_says_the_same(const struct value *a, const struct value *b);
/* All that either can be. False: more tensors than a value can hold. The arena is for tables of
 * functions; NULL: then they are anything. */
bool value_union(struct arena *a, const struct value *x, const struct value *y, struct value *out);
struct value value_either(const struct value *x, const struct value *y); /* too many: anything */
/* Whether a number can be zero / can be nonzero. */
bool value_can_be_zero(const struct value *v);
bool value_can_be_nonzero(const struct value *v);

/* ---- numbers --------------------------------------------------------------------------------- */

bool number_exact(const struct value *v, int64_t *n);
struct value number_binary(const struct ir_inst *i, const struct value *x, const struct value *y);
struct value number_device(const struct value *index, int64_t first);
struct value number_as_device(const struct pack_set *packs, struct value v);
/* The test of a negation is allocated in `tests`, as are those of comparisons. */
struct value number_unary(struct arena *tests, const struct ir_inst *i, const struct value *x);
struct value number_convert(const struct value *x, const struct type *to);
/* All that an operation can result in, for all that its operands can be in any state. */
struct domain operation_range(const struct operation *o, const struct value *x,
                              const struct value *y);
/* An integer for each real number, in the same order; that of 0 is 0. */
int64_t real_code(double r);

struct value compare_values(struct arena *tests, enum ir_arith arith, const struct value *x,
                            const struct value *y);
bool arith_holds(enum ir_arith comparison, int64_t a, int64_t b);
enum ir_arith arith_negated(enum ir_arith comparison);
enum ir_arith arith_mirrored(enum ir_arith comparison); /* of the operands in the other order */

/* ---- facts ----------------------------------------------------------------------------------- */

void fact_join(struct fact *into, const struct fact *f);
/* The same into the results of all roots; true: it added something. */
bool fact_grow(struct fact *into, const struct fact *from);
uint16_t fact_gpus(const struct fact *f); /* 0: it is on none */
/* Whether it can be on one of these devices. */
bool fact_can_lie(const struct fact *f, uint8_t devices, uint16_t gpus);
/* It is on one of them. */
void fact_meet_devices(struct fact *f, uint8_t devices, uint16_t gpus);
/* It has one of these dtypes and is on one of these devices, unless it can be neither. */
void fact_limit(struct fact *f, const struct fact *limit);
bool fact_equal(const struct fact *x, const struct fact *y);
/* Equal but for the shape and the range. */
bool fact_is_alike(const struct fact *x, const struct fact *y);
struct fact fact_unknown(void);
/* What it can be as an operand of fn, whose API may have dtypes of its own. */
dtype_set fact_dtypes(const struct fact *f, const struct pack_function *fn);

/* ---- ranges ---------------------------------------------------------------------------------- */

bool range_is_same(const struct value_range *x, const struct value_range *y);
/* All that the elements of either can be. A bound of both is met if both meet it. */
struct value_range range_either(const struct value_range *x, const struct value_range *y);
/* All that the elements can be that are one or the other by run. */
struct value_range range_join(const struct value_range *x, const struct value_range *y);
bool range_contains(const struct value_range *x, const struct value_range *y);
/* At the head of a loop: both, with bounds that moved at 0 or nowhere. */
struct value_range range_widened(const struct value_range *before, const struct value_range *now);
/* Between two numbers; met: there are elements that are these. */
struct value_range range_between(double low, double high, bool is_whole, bool met);
/* Some of the elements: no bound is met by these alone. */
struct value_range range_some(struct value_range r);

/* range_arith.c, where range_unary and range_binary are (flow.h). */
struct value_range range_clamped(const struct value_range *x, const struct value_range *min,
                                 const struct value_range *max);
/* The sum of between `least` and `most` of them. */
struct value_range range_sum(const struct value_range *x, double least, double most, enum dtype d);
struct value_range range_mean(const struct value_range *x, enum dtype d);

#endif

/* Inside analyzer/pack: what its files share. pack.h lists them. */
#ifndef ANALYZER_PACK_PRIVATE_H
#define ANALYZER_PACK_PRIVATE_H

#include "analyzer/pack/pack.h"

#include <string.h>

/* Words are compared with many others when packs are loaded, and most differ in their first letter.
 */
static inline bool same_word(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0;
}

/* ---- words.c: the vocabulary ---------------------------------------------------------------- */

/* Places are the CPU's bit, then one for each cuda device, then
 * one for each other device. */
#define PLACE_CPU   1u
#define PLACES_CUDA ((unsigned)GPUS_ALL << 1)
#define PLACE_META  (1u << 17)
#define PLACE_OTHER (1u << 18)
#define ALL_PLACES  (PLACE_CPU | PLACES_CUDA) /* of DEVICES_ALL */
#define RANK_BIT(n) ((uint16_t)(1u << (n)))
#define ALL_RANKS   ((uint16_t)0xffff)
enum { LAST_RANK = 15 }; /* that many dimensions, or more */

enum device device_named(const char *name);           /* DEVICE_COUNT if there is none */
unsigned device_places(enum device d, uint16_t gpus); /* not known: all of them */
enum device places_device(unsigned places);           /* DEVICE_COUNT: not known */
enum error_kind error_kind_named(const char *name);   /* ERROR_NONE if there is none */

/* c64 is f32 twice; others are what they are. */
enum dtype dtype_magnitude(enum dtype d);
/* Whether a result of the first dtype can be stored in a tensor of the second. */
bool dtype_can_cast(enum dtype from, enum dtype to);
/* Whether an element of the dtype can hold the number. */
bool number_fits(const struct operand *number, enum dtype dtype);
/* The default dtype of a number. */
enum dtype number_dtype(const struct operand *number);
bool operand_is_number(const struct operand *o);

/* Finds the common dtype of operands. Those with dimensions decide; zero-dimensional ones, and
 * after them numbers, count only if they are of a higher kind (bool, integer, floating). */
struct promotion {
    enum dtype dimensioned, zero_dim, number;
    enum dtype real; /* that of floating numbers: the default dtype; DTYPE_NONE: f32 */
    bool failed;
};
void promotion_add(struct promotion *p, const struct operand *o);
enum dtype promotion_result(const struct promotion *p); /* DTYPE_NONE: there is none */

/* The most similar of count words, for "did you mean"; NULL: none is similar. */
const char *word_nearest(const char *text, const char *const *words, int count);

/* ---- yaml.c: a document as a tree --------------------------------------------------------------
 */

enum node_kind { NODE_TEXT, NODE_LIST, NODE_MAP };

struct node {
    enum node_kind kind;
    int line, column; /* from 1 */
    const char *text; /* NODE_TEXT */
    int skew;         /* NODE_TEXT: 1 if the text is quoted; -1: it spans several lines */
    struct node **keys, **items; /* keys: NODE_MAP, each a NODE_TEXT, no two alike */
    int count;
    int size; /* number of nodes in it, itself included */
};

/* NULL after error_at. */
struct node *yaml_read(struct arena *a, const char *file, const char *text, size_t length,
                       struct error *e);
struct node *node_get(const struct node *map, const char *key); /* NULL: none */
const char *node_kind_name(enum node_kind kind);                /* "a list" */

/* ---- expr.c ------------------------------------------------------------------------------------
 */

/* The sort of an expression. Dtypes and ranks (numbers of dimensions) are sets, most with one
 * member. */
enum answer_sort {
    ANSWER_DTYPE,
    ANSWER_DEVICE,
    ANSWER_TRUTH,
    ANSWER_NUMBER,
    ANSWER_RANK,
    ANSWER_OPERAND
};
enum tri_state { SAY_NO = 1, SAY_YES = 2, SAY_MAYBE = 3 };

enum expr_op {
    EXPR_SET,    /* mask: a constant set of dtypes or places, or a truth value */
    EXPR_NUMBER, /* number */
    EXPR_PARAM,  /* index; its sort follows from the kind of the parameter */
    EXPR_DTYPE,  /* of parameter index */
    EXPR_DEVICE,
    EXPR_ZERO_DIM,
    EXPR_NDIM,
    EXPR_BYTES, /* of raw memory */
    EXPR_UNIT,  /* of a number */
    EXPR_RANK,  /* a number as a rank */
    EXPR_LET,   /* index; args[0] is the definition */
    EXPR_IF,    /* then, condition, else */
    EXPR_OR,
    EXPR_AND,
    EXPR_NOT,
    EXPR_EQUAL,
    EXPR_LESS,
    EXPR_IN,
    EXPR_UNION,
    EXPR_MINUS,
    EXPR_ADD, /* numbers, or a number to ranks; index is -1 to subtract */
    EXPR_TIMES,
    EXPR_TABLE, /* args[0]: the dtypes that are looked up in table */
    EXPR_CALL   /* function */
};

struct expr {
    enum expr_op op;
    enum answer_sort sort;
    int index;
    uint64_t mask;
    double number;
    const struct builtin *function;
    const struct pack_table *table;
    struct expr **args;
    int arg_count;
};

/* What names mean in the expressions of one function. */
struct let {
    const char *name;
    const struct node *node;
    struct expr *expr; /* compiled when first used */
    bool compiling;
};

struct named_set {
    const char *name;
    dtype_set dtypes;
};

enum { MAX_LETS = 24 };

struct scope {
    struct arena *arena;
    const char *file;
    const struct pack_param *params;
    int param_count;
    struct let lets[MAX_LETS];
    int let_count;
    const struct named_set *sets;
    int set_count;
    const struct pack *pack; /* whose dtypes names stand for */
};

/* Compiles a text into an expression of the given sort; NULL after error_at. */
struct expr *expr_compile(struct scope *s, const struct node *node, enum answer_sort want,
                          struct error *e);
/* Compiles a let, unless that is done already; false after error_at. */
bool let_compile(struct scope *s, struct let *let, struct error *e);

/* ---- operand.c, eval.c, builtin.c ------------------------------------------------------------
 */

struct answer {
    uint64_t mask; /* dtypes, places, ranks, or enum tri_state */
    bool known;    /* numbers */
    double number;
};

struct evaluation {
    const struct pack_function *function;
    const struct operand *operands;
    int count;
    enum dtype default_dtype; /* DTYPE_NONE: f32 */
    uint32_t done;            /* bits: lets that were computed */
    struct answer lets[MAX_LETS];
};

struct builtin {
    const char *name;
    enum answer_sort sort; /* first() has that of its first argument */
    /* One letter per argument: o operand, d dtype, * like the first; a final +: one or more of
     * those. */
    const char *takes;
    struct answer (*evaluate)(struct evaluation *v, const struct expr *call);
};
const struct builtin *builtin_named(const char *name);
/* The letter of its i-th argument; 0: it takes no more. */
char builtin_takes(const struct builtin *f, int i);
int builtin_names(const char **names, int room);

struct answer evaluate(struct evaluation *v, const struct expr *expr);

struct answer answer_set(uint64_t mask);
struct answer answer_truth(bool yes);
struct answer answer_dtype(enum dtype d); /* DTYPE_NONE: the empty set */
bool mask_is_one(uint64_t mask);
int mask_first(uint64_t mask); /* of a mask with a member */
int mask_last(uint64_t mask);

/* The n-th operand of a parameter; NULL after the last. */
const struct operand *operand_member(const struct evaluation *v, int param, int n);
bool operand_is_given(const struct operand *o);
bool operand_has_elements(const struct operand *o); /* a tensor or a buffer */
dtype_set operand_dtypes(const struct operand *o);
unsigned operand_ranks(const struct operand *o);
struct answer operand_value(const struct operand *o, enum answer_sort sort);
struct answer operand_zero_dim(const struct operand *o);
struct answer operand_bytes(const struct operand *o);
struct answer operand_unit(const struct operand *o);

/* ---- autocast.c -------------------------------------------------------------------------------
 */

enum { PACK_MAX_OPERANDS = 32 };
/* The operands after autocast; false: the call is an error, which is in out. */
bool pack_autocast(const struct pack_function *f, const struct operand *operands, int count,
                   const struct regions *regions, struct operand *cast, struct outcome *out);

/* ---- rules --------------------------------------------------------------------------------------
 */

struct check {
    enum error_kind kind;
    struct expr *when; /* NULL: always */
    struct expr *holds;
    const char *say;
    bool is_of_all; /* also of dtypes of which packs say little else */
};

struct result_rule {
    enum operand_kind
        kind; /* tensor, buffer, dtype, device; a number: OPERAND_FLOAT, kind from dtype */
    /* NULL: cpu, one or more, not known. The value of raw memory is its size in bytes. */
    struct expr *dtype, *device, *ndim, *value;
};

struct pack_rule {
    struct check *checks;
    int check_count;
    struct check *backward_checks; /* of the backward pass */
    int backward_check_count;
    struct result_rule results[PACK_MAX_RESULTS];
    int result_count;
    struct expr *same_when;   /* of ALIAS_MAYBE_SAME and ALIAS_MAYBE_VIEW */
    struct expr *itself_when; /* of views: it is the parameter itself */
    const struct let *lets;   /* for reasons; expr NULL: never used */
    int let_count;
    int expect_tensor, expect_dtypes, expect_device; /* parameter indices; -1: none */
};

/* ---- sets of packs ------------------------------------------------------------------------------
 */

struct enum_value {
    int word; /* enum dtype or enum device */
    int64_t low, high;
    int64_t said_low, said_high; /* in the pack; the program's own enumeration may say others */
};

/* A dtype that a pack declares. */
enum { MAX_OWN_DTYPES = DTYPE_END - DTYPE_COUNT };
struct own_dtype {
    char name[24];
    struct dtype_traits traits;
};
const char *own_dtype_word(enum dtype d);
enum dtype own_dtype_named(const char *name); /* DTYPE_NONE: none */
/* key: map, an entry of a pack's dtypes. */
bool dtype_declare(struct pack_set *s, const struct pack *p, const struct node *key,
                   const struct node *map, enum dtype *out, struct error *e);
/* The dtype that p calls so; NULL: any pack. DTYPE_NONE if there is none. */
enum dtype dtype_of_pack(const struct pack *p, const char *name);

struct element_type {
    const char *name;
    enum dtype dtype;
};

/* A field of the record that a tensor is. */
struct tensor_field {
    const char *record, *name;
    const struct pack_function *asker;   /* a question about the tensor */
    const struct pack_function *pointer; /* the function that would return it; NULL: no data */
};
extern const char *const tensor_field_words[];
extern const int tensor_field_word_count;
bool tensor_fields_load(struct pack_set *s, struct pack *p, const char *record,
                        const struct node *map, struct error *e);
bool tensor_fields_describe(struct pack_set *s, struct pack *p, struct error *e);

/* backend.c */
bool backends_load(struct pack_set *s, struct pack *p, const struct node *list,
                   const struct node *target, struct error *e);
/* The backends that a word or a list names, as bits. */
bool backends_read(const struct pack *p, const struct node *n, uint32_t *which, struct error *e);

/* table.c */
struct pack_table;
bool tables_load(struct pack_set *s, struct pack *p, const struct node *map, struct error *e);
const struct pack_table *table_named(const struct pack *p, const char *name); /* NULL: none */
const char *table_name(const struct pack_table *t);
enum answer_sort table_sort(const struct pack_table *t);
struct answer table_look_up(const struct pack_table *t, dtype_set of);

struct pack {
    const char *name, *file;
    bool is_built_in; /* its tree is: embedded.c */
    const char *prefix;
    bool is_ambient, goes_on;
    bool tells_apart; /* some of its functions free tensors or record what is done with them */
    LIST(const char *) tensor_types;
    LIST(struct element_type) element_types;
    LIST(struct enum_value) dtypes, devices;
    bool has_own_dtypes;    /* it declares some, */
    dtype_set named_dtypes; /* and these are all that it has constants of */
    int64_t set_from; /* a number from 1 << set_from on is a set of dtypes, by their values; -1:
                         never */
    bool has_any_device;
    int64_t any_device;
    LIST(struct named_set) sets;
    LIST(const struct pack_table *) tables;
    LIST(struct tensor_field) tensor_fields;
    text_list backends;
    uint32_t target;                       /* bits: those of them that the program is for */
    const struct node *templates, *checks; /* NULL: none */
    const struct node *functions;
    const struct node *examples; /* NULL: none */
    struct pack_spelling spelling;
    text_list ops;              /* packs whose functions its signatures bind */
    const struct node *phrases; /* of signatures; NULL: none */
};

/* A name, and the one it stands for. */
struct pack_alias {
    const char *name, *of;
};

struct pack_set {
    struct arena *arena;
    struct names *names;
    LIST(struct pack *) packs;
    LIST(struct pack_function *) functions;
    struct map *by_name; /* hash of the name -> struct found */
    bool (*is_wanted)(const void *data, const char *function); /* NULL: all are */
    const void *wanted;
    /* Of dynamic languages, by the hash of the name (signature.c). */
    struct map *signatures, *constants, *modules;
    struct map *ops; /* functions by word, */
    int indexed;     /* the first of them, by their order in functions */
    LIST(struct pack_alias) aliases;
    LIST(struct own_dtype) own; /* from DTYPE_COUNT on */
    text_list target;           /* backends; none: as packs say */
    int order;                  /* of the entry that is read, among all that the packs have */
    struct late *late;          /* NULL: all entries are read at once */
    text_list tensor_methods;
};

/* late.c: what an entry that is read later is found by. */
enum late_kind { LATE_FUNCTION, LATE_WORD, LATE_SIGNATURE, LATE_KINDS };
enum { LATE_NAME_ROOM = 256 };
/* Notes an entry; false: it is to be read now. */
bool late_note(struct pack_set *s, struct pack *p, const struct node *node, int order);
/* Reads those that have the name. */
void late_read(struct pack_set *s, enum late_kind kind, const char *name);
/* A lookup, during which others wait. */
void late_begin(const struct pack_set *s);
void late_end(const struct pack_set *s);

/* signature.c. All return false after error_at. */
bool signatures_load(struct pack_set *s, const struct pack *p, const struct node *entry,
                     struct error *e); /* an entry with `op` or `ops` */
bool signatures_bind(struct pack_set *s, const struct pack *p, const struct node *entry,
                     const struct pack_function *op, struct error *e); /* its `calls` */
/* The name in the text of a signature, for an op of that word; also notes the modules that it is
 * below. False: it is not known. */
bool signature_name(struct pack_set *s, const struct pack *p, const struct node *n,
                    const char *word, char *out);
bool constants_load(struct pack_set *s, const struct pack *p, const struct node *map,
                    struct error *e);
bool aliases_load(struct pack_set *s, const struct pack *p, const struct node *map,
                  struct error *e);

/* function.c: one entry of a pack's functions, which may name several. */
bool functions_load(struct pack_set *s, struct pack *p, const struct node *entry, struct error *e);
/* function.c: checks the keys of templates, once for all functions that are like them. */
bool templates_check(const struct pack *p, struct error *e);
/* spelling.c: how the API's casts and moves are written. */
bool spelling_load(struct pack_set *s, struct pack *p, const struct node *map, struct error *e);
bool pack_set_add(struct pack_set *s, struct pack_function *f);

/* param.c, traits.c: roles and families by name; ROLE_NONE if there is none. */
enum param_role role_named(const char *name);
const char *role_name(enum param_role r);
const char *family_name(enum op_family f);
extern const char *const values_words[]; /* by enum pack_values */
const char *values_name(enum pack_values v);
/* The elements of a function: a word, or an interval; false: neither. */
bool values_parse(const char *text, struct pack_function *f);
/* What a function of that name computes; false: no word is its name. */
bool values_of_name(const char *name, enum pack_values *out);

/* The words of the language, for the test that compares them with the documentation. */
extern const char *const pack_keys[],
    *const check_keys[], *const function_keys[], *const result_keys[],
                                                     *const spelling_keys[],
                                                         *const param_words[],
                                                             *const question_words[],
                                                                 *const autocast_classes[],
                                                                     *const signature_words[],
                                                                         *const dtype_keys[];
extern const int pack_key_count, check_key_count, function_key_count, result_key_count,
    spelling_key_count, param_word_count, question_count, autocast_class_count,
    signature_word_count, dtype_key_count;
const char *effect_name(int i); /* NULL: beyond the last */

/* reason.c: whether everything that a reason has in braces exists. Compiles the lets it names. */
bool reason_check(struct scope *s, const struct node *say, struct error *e);

/* Errors in a pack. expect_* return false after error_at. */
bool expect_kind(const char *file, const struct node *n, enum node_kind kind, const char *what,
                 struct error *e);
bool expect_keys(const char *file, const struct node *map, const char *const *known, int count,
                 const char *where, struct error *e);
bool unknown_word(const char *file, const struct node *n, int offset, const char *what,
                  const char *word, const char *const *known, int count, struct error *e);

#endif

/* analyzer/pack: what is known about the functions of an API, read from YAML. The analyzer knows no
 * function name, only the words that packs are written in (docs/packs.md).
 *
 * A pack describes one call with known operands: its result, or the error it raises. The analysis,
 * which has sets of possibilities, evaluates it for each combination.
 *
 *   reading
 *     yaml.c       YAML as a tree of nodes
 *     embedded.c   the same trees, built into the program
 *     embedded.h   the form of these, for who writes them
 *     load.c       a pack: its top-level keys
 *     expect.c     errors in a pack
 *     function.c   one entry of its functions, with its templates
 *     entry.c      an entry while it is read
 *     entry.h      the same, for those who read its keys
 *     check.c      its checks
 *     param.c      parameters and their roles
 *     param.h      parameters while they are read
 *     traits.c     family, alias, effects and what else a function is
 *     saves.c      what is saved for backward
 *     shape.c      the shape of the result, and the range of its elements
 *     table.c      tables of dtypes
 *     backend.c    backends, and those that the program is for
 *     example.c    examples, with which a pack is tested
 *     tensor_field.c  fields of tensors
 *     number.c        constants of dtypes in another version of the API
 *     values.c     words for these
 *     spelling.c   how casts and moves are written
 *     expr.c       expressions
 *     token.c      tokens of expressions
 *     token.h      a tokenizer
 *     signature.c  how a dynamic language calls functions, and its constants
 *     signature.h  the same, for those who call
 *     binding.c    the text of a signature
 *     binding.h    a signature while it is read
 *     family.def   families of operations
 *     role.def     roles of parameters
 *     values.def   how elements of results are computed
 *   evaluating
 *     set.c        the packs that are loaded
 *     late.c       entries that are read when they are first asked for
 *     call.c       one call
 *     autocast.c   what autocast does with its operands
 *     eval.c       expressions
 *     builtin.c    functions of expressions
 *     operand.c    operands as expressions see them
 *     reason.c     messages
 *     words.c      dtypes, devices and errors
 *     dtypes.c     dtypes that packs declare
 *     private.h    shared by these files */
#ifndef ANALYZER_PACK_H
#define ANALYZER_PACK_H

#include "analyzer/base/base.h"

/* ---- words shared with the rest of the analyzer --------------------------------------------- */

enum dtype {
    DTYPE_NONE,
    DTYPE_BOOL,
    DTYPE_U8,
    DTYPE_I8,
    DTYPE_I16,
    DTYPE_I32,
    DTYPE_I64,
    DTYPE_F16,
    DTYPE_BF16,
    DTYPE_F32,
    DTYPE_F64,
    DTYPE_F8_E4M3,
    DTYPE_F8_E5M2,
    DTYPE_U16, /* from here on: known, but of few libraries */
    DTYPE_U32,
    DTYPE_U64,
    DTYPE_C64,
    DTYPE_C128,
    DTYPE_COUNT,
    DTYPE_END = 64 /* from DTYPE_COUNT on: those that packs declare */
};
const char *dtype_word(enum dtype d);       /* "f16" */
enum dtype dtype_spelled(const char *name); /* by that word, or as "float16" */
enum dtype dtype_named(const char *name);   /* DTYPE_NONE if there is none */

/* What a pack says of a dtype that it declares. */
struct dtype_traits {
    bool is_floating, is_quantised;
    int block, bytes; /* that many elements take so many bytes; 0: not known */
    double largest;   /* 0: not known */
};
/* NULL: no pack declares it. */
const struct dtype_traits *dtype_traits_of(enum dtype d);
int dtype_bytes(enum dtype d); /* of an element; 0: it is in a block with others */
bool dtype_same_width(enum dtype x, enum dtype y); /* as many elements take as many bytes */
int dtype_end(void); /* all that there are, with those of packs, are below that */

/* Sets of dtypes are bits 1 << dtype. */
typedef uint64_t dtype_set;
#define DTYPE_BIT(d) ((dtype_set)1 << (d))
#define DTYPES_KNOWN (DTYPE_BIT(DTYPE_COUNT) - 2)
#define DTYPES_EVERY (~(dtype_set)1) /* those of packs, too */
#define DTYPES_OWN   (DTYPES_EVERY & ~DTYPES_KNOWN)
/* What a tensor can be of which nothing is known: the other dtypes are only where a program names
 * them, and those of a pack where its functions are called. */
#define DTYPES_ALL     (DTYPE_BIT(DTYPE_U16) - 2)
#define DTYPES_COMPLEX (DTYPE_BIT(DTYPE_C64) | DTYPE_BIT(DTYPE_C128))
/* Those that can have gradients. */
#define DTYPES_GRADED (DTYPES_FLOATING | DTYPES_COMPLEX)
#define DTYPES_FLOATING                                                                            \
    (DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_BF16) | DTYPE_BIT(DTYPE_F32) | DTYPE_BIT(DTYPE_F64) |  \
     DTYPE_BIT(DTYPE_F8_E4M3) | DTYPE_BIT(DTYPE_F8_E5M2))
/* The same with those that packs declare, and those that these say are quantised. */
dtype_set dtypes_floating(void);
dtype_set dtypes_quantised(void);
/* Whether nothing is known of the dtype of a tensor that can be one of these. */
static inline bool dtypes_are_any(dtype_set dtypes)
{
    return (dtypes & DTYPES_ALL) == DTYPES_ALL;
}

enum device {
    DEVICE_CPU,
    DEVICE_CUDA,
    DEVICE_META,
    DEVICE_OTHER, /* none of these: mps, xpu */
    DEVICE_COUNT
};
/* Those that a tensor can be on of which nothing is known, as bits 1 << device; and how many
 * devices have autocast regions, which are the first. */
#define DEVICES_ALL ((uint8_t)(1u << DEVICE_CPU | 1u << DEVICE_CUDA))
enum { AUTOCAST_DEVICES = DEVICE_CUDA + 1 };
const char *device_name(enum device d);

/* Which of the cuda devices: bits 1 << index; the last bit also stands for all beyond. */
enum { GPU_LAST = 15 };
#define GPUS_ALL   ((uint16_t)0xffff)
#define GPUS_FIRST ((uint16_t)1)
/* Whether cuda devices have to be distinguished: then the first is called cuda:0. */
bool gpus_are_apart(uint16_t gpus);
/* "cpu", "cuda:1", "cuda:0|cuda:1"; "cuda": any of them, or the first unless apart. */
void device_print(enum device d, uint16_t gpus, bool apart, struct text *out);
/* "cpu|cuda:1": operand_places in words. */
void places_print(unsigned places, bool apart, struct text *out);
/* Parses "cpu", "cuda", "cuda:1", "mps"; without an index it is the first. False: no device. */
bool device_parse(const char *text, enum device *d, uint16_t *gpus);

enum error_kind {
    ERROR_NONE,
    ERROR_DTYPE,
    ERROR_DEVICE,
    ERROR_CAST,
    ERROR_SHAPE,
    ERROR_OVERFLOW,
    ERROR_GRAD,
    ERROR_LEAF,
    ERROR_VERSION,
    ERROR_AUTOCAST,
    ERROR_UNSCALE,
    ERROR_CONTRACT,
    ERROR_VALUE,
    ERROR_ARGUMENT, /* null where a tensor is required */
    ERROR_KIND_COUNT
};
const char *error_kind_name(enum error_kind k);

/* ---- one call ------------------------------------------------------------------------------ */

enum operand_kind {
    OPERAND_ABSENT, /* null, or an option that was left out */
    OPERAND_TENSOR,
    OPERAND_BOOL, /* numbers, by the kinds that PyTorch distinguishes */
    OPERAND_INT,
    OPERAND_FLOAT,
    OPERAND_DTYPE,  /* a dtype argument: dtype; DTYPE_NONE: default */
    OPERAND_DEVICE, /* a device argument */
    OPERAND_BUFFER  /* raw memory: dtype of its elements (DTYPE_NONE: untyped), device it is on */
};

struct operand {
    enum operand_kind kind;
    enum dtype dtype;
    enum device device; /* of a buffer or a result, DEVICE_COUNT: not known */
    uint16_t gpus;      /* of DEVICE_CUDA: which it can be; 0: any */
    bool zero_dim;
    bool known; /* number is its value; of a buffer or a tensor: its size in bytes */
    double number;
    enum dtype unit;   /* the number counts bytes of its elements; DTYPE_NONE: not known */
    const char *times; /* the number is that of these unknown ones, which are the same in all sizes
                          of the call: "rows * cols"; NULL: it is all there is */
    uint16_t ranks; /* bits 1 << number of dimensions that it can have, the last: or more; 0: only
                       zero_dim is known */
    /* Results only: what is not decided, because a number is not known or because it never is. */
    dtype_set dtypes;      /* bits 1 << dtype that it can be; more than one: dtype is DTYPE_NONE */
    bool zero_dim_unknown; /* it may or may not have dimensions */
};

/* Where it can be: the CPU's bit, above it one for each of the cuda devices, and one for each of
 * the other devices. */
unsigned operand_places(const struct operand *o);

enum { PACK_MAX_RESULTS = 4, PACK_MAX_PARAMS = 12 };

enum alias_kind {
    ALIAS_FRESH,      /* new memory */
    ALIAS_SAME,       /* the operand itself */
    ALIAS_VIEW,       /* another tensor over the same memory */
    ALIAS_MAYBE_SAME, /* the operand itself if nothing changes (same dtype and device), else fresh
                       */
    ALIAS_MAYBE_VIEW  /* a view or a copy, depending on the layout */
};

/* What autocast does with the operands of a function, on one device. */
enum autocast {
    AUTOCAST_NONE,
    AUTOCAST_LOW, /* casts them to the region's dtype */
    AUTOCAST_F32,
    AUTOCAST_FIRST,   /* casts the first to f32, unless it is f8 */
    AUTOCAST_PROMOTE, /* casts them to the widest among them */
    AUTOCAST_REFUSED  /* it is an error to call it */
};

/* The regions that are open around a call, and the default dtype. */
struct regions {
    enum dtype autocast[DEVICE_COUNT]; /* DTYPE_NONE: no region is open */
    enum dtype default_dtype;          /* DTYPE_NONE: f32 */
};

/* What is saved for backward, which fails if that was changed since. */
enum { SAVES_RESULT = -1, SAVES_OWN = -2 };
struct pack_save {
    int what; /* parameter index, or the result, or something internal that cannot be changed */
    int only_with;    /* only if this parameter requires grad; -1: always */
    bool only_tensor; /* not if it is a number */
    int only_without; /* only if this number is 0 or left out; -1: always */
    bool only_cuda;   /* only if it is on cuda */
};

/* The shape of the result, if that is simple. */
enum shape_rule {
    SHAPE_UNKNOWN,
    SHAPE_LIKE,
    SHAPE_BROADCAST,
    SHAPE_MATMUL,
    SHAPE_LINEAR,
    SHAPE_SIZES,
    SHAPE_INSERT,   /* a dimension of size 1 at a number */
    SHAPE_REMOVE,   /* the dimension at a number is gone */
    SHAPE_APPEND,   /* one more dimension, of a size that is a number */
    SHAPE_PREPEND,  /* a dimension of size 1, the first */
    SHAPE_LAST,     /* the size of the last dimension is a number */
    SHAPE_FLATTEN,  /* the dimensions from `start` to `end` are one */
    SHAPE_COUNT_UP, /* one dimension: the numbers up to one */
    SHAPE_REDUCE    /* some dimensions are gone, or 1: `field` has which */
};
struct pack_shape {
    enum shape_rule rule;
    int of[3];         /* parameters, -1: none; of sizes the one with their count, */
    const char *field; /* in the record that has the array as this field */
};

/* How the elements of the result are computed, of which the range follows. */
enum pack_values {
    VALUES_UNKNOWN,
#define VALUES(id, word, summary) VALUES_##id,
#include "analyzer/pack/values.def"
#undef VALUES
    VALUES_COUNT_OF
};
struct pack_interval { /* of VALUES_WITHIN */
    double low, high;
    bool is_whole;
};

struct outcome {
    enum error_kind error; /* ERROR_NONE: the call works */
    const char *reason; /* of an error, with operands' names in braces: "{op} needs one dtype: {a}
                           is {a.dtype}, …"; pack_reason_print fills them in */
    enum error_kind backward; /* of a call that works: the error of its backward pass */
    const char *backward_reason;
    bool unsure; /* a check could not be decided because a number is not known; it counts as passed
                  */
    const char *apart; /* of a call that works: the error if operands that can be on the same device
                          are on different ones; NULL: they cannot be */
    enum alias_kind alias; /* of the result of this call; ALIAS_MAYBE_SAME: depends on a number that
                              is not known */
    int alias_of;          /* parameter index, -1: none */
    int result_count;      /* with an error: 0, unless the function goes on */
    struct operand results[PACK_MAX_RESULTS]; /* the returned value first, then what is written to
                                                 out-parameters */
};

/* ---- functions ------------------------------------------------------------------------------ */

/* Families of operations, which rules distinguish, and the roles of their parameters. */
enum op_family {
#define FAMILY(id, name, roles, summary) FAMILY_##id,
#include "analyzer/pack/family.def"
#undef FAMILY
    FAMILY_COUNT
};
enum param_role {
    ROLE_NONE,
#define ROLE(id, name, kinds, summary) ROLE_##id,
#include "analyzer/pack/role.def"
#undef ROLE
    ROLE_COUNT
};

/* Where a parameter comes from in the call: argument index, and a path of record fields below it
 * ("options.dtype" is argument 3, field dtype). */
struct pack_param {
    const char *name;
    enum param_role role;
    int argument;
    const char *path[3];    /* NULL-terminated unless full; path[0] NULL: the argument itself */
    enum operand_kind kind; /* its kind; OPERAND_TENSOR with also_number: a tensor or a number */
    bool also_number;       /* with OPERAND_FLOAT: a number of any kind */
    bool required;          /* null is an error */
    bool written;           /* an in-place op changes its elements */
    bool out;      /* address of a pointer that receives result N; with many: of an array of them */
    int result;    /* with out: N, from 1 */
    bool many;     /* an array of them; further elements follow all parameters (pack_call_many) */
    int count;     /* with many: index of the parameter with their count, -1: none */
    bool fixed;    /* no gradient flows to it */
    bool constant; /* with fixed: it is an error if it requires one */
    bool detached; /* with fixed: that is an error even where nothing is recorded */
    bool held;     /* with many: the argument is an object that holds them */
};

/* What a call does besides computing; several may hold. */
enum pack_effect {
    EFFECT_SCOPE_BEGIN = 1,
    EFFECT_SCOPE_END = 2,
    EFFECT_KEEP = 4,
    EFFECT_FREE = 8,
    EFFECT_EXPECT = 16, /* a contract: restricts its operand */
    EFFECT_REVEAL = 32,
    EFFECT_BOX = 64,   /* wraps argument 0 as a tensor-or-number */
    EFFECT_PURE = 128, /* a question: no effect, result known from facts (is_cuda, dtype_of …) */
    EFFECT_ALLOCATES = 256, /* returns raw memory that was not written to yet */
    EFFECT_NO_RETURN = 512,
    /* Regions: begin returns a record, with which end restores what was before. */
    EFFECT_NO_GRAD_BEGIN = 1 << 10,
    EFFECT_ENABLE_GRAD_BEGIN = 1 << 11,
    EFFECT_GRAD_MODE_END = 1 << 12,
    EFFECT_AUTOCAST_BEGIN = 1 << 13, /* parameters: device, dtype, enabled */
    EFFECT_AUTOCAST_END = 1 << 14,
    /* Gradients of the first parameter. */
    EFFECT_REQUIRE_GRAD = 1 << 15, /* if the second says so */
    EFFECT_BACKWARD = 1 << 16,
    EFFECT_DETACH = 1 << 17,
    EFFECT_DTYPE_SET = 1 << 19, /* its result is the set of the dtypes that its argument lists */
    EFFECT_GRADIENT = 1 << 21,  /* returns its gradient, or null if it has none */
    EFFECT_GRADIENT_NORM = 1 << 23, /* returns the norm of the gradients; f32 on the cpu if none */
    /* Gradient scalers: one parameter has the role ROLE_SCALER. */
    EFFECT_SCALER_NEW = 1 << 24,
    EFFECT_SCALES = 1 << 25,
    EFFECT_UNSCALES = 1 << 26, /* for the optimizer, the parameter that is held */
    EFFECT_SCALER_UPDATE = 1 << 27,
    EFFECT_CLIPS = 1 << 29,     /* clips the gradients of its operands */
    EFFECT_COPIES = 1 << 28,    /* copies what the second points to to where the first points, or
                                   fills that with the second, a byte; with
                                   allocates: what it returns has the contents of the first */
    EFFECT_ZERO_GRAD = 1 << 22, /* clears the gradients of its operands */
    EFFECT_STEPS = 1 << 18,     /* changes its operands without recording that */
    EFFECT_SETS_GRAD = 1 << 20, /* sets the gradient of the first */
    EFFECT_RETAINS =
        1 << 30, /* has backward keep the gradient of the first, which must require one */
    EFFECT_ZEROES = INT32_MIN /* with allocates: the memory is all zero */
};

enum question { /* EFFECT_PURE functions whose answer the analysis knows */
                QUESTION_NONE,
                QUESTION_DTYPE_OF,
                QUESTION_DEVICE_OF,
                QUESTION_IS_CUDA,
                QUESTION_IS_FLOATING,
                QUESTION_NDIM,
                QUESTION_SAME_STORAGE,
                QUESTION_REQUIRES_GRAD,
                QUESTION_IS_LEAF,
                QUESTION_HAS_GPU,      /* whether there is one */
                QUESTION_SAME_TEXT,    /* as strcmp: 0 if so; a third argument: of how much */
                QUESTION_SAME_LETTERS, /* the same whatever their case */
                QUESTION_LENGTH,       /* of a text; a second argument: at most */
                QUESTION_FIND_CHAR,    /* where a character is in a text; null: nowhere */
                QUESTION_FIND_LAST,
                QUESTION_FIND_TEXT,
                QUESTION_TEXT_KEY, /* a number that stands for a text */
                QUESTION_IF_KNOWN, /* the number; -1: it is not known */
                QUESTION_SIZE,     /* a number that is not negative */
                QUESTION_SIZE_OF,  /* the same, of bytes of elements of the first parameter: a
                                      tensor, or a dtype */
                QUESTION_DIM_SIZE,
                QUESTION_NUMEL,
                QUESTION_NBYTES,
                QUESTION_OF_DTYPE, /* a number that follows from a dtype, the only parameter */
                QUESTION_OTHER,
                QUESTION_DATA /* where the elements of a tensor are: a field of it, no word of a
                                 pack */
};

/* A call that copies a text, or formats one. Arguments, -1: none. */
struct pack_text {
    bool is_written;
    int to;     /* where it goes; without both, the call returns it */
    int onto;   /* the same, behind the text that is there */
    int from;   /* the text */
    int format; /* else: as printf has it, with the arguments that follow */
    int size;   /* of the memory, with the end of the text */
    int most;   /* characters that are copied */
};

/* A call that gives a tensor a name, or finds the one that has it. Arguments, -1: none. */
struct pack_named {
    bool is_written;
    int tensor; /* without it: the call returns the tensor */
    int text;   /* without it: the text that the call formats */
};

/* What it does with a function that it is given. */
enum callback {
    CALLBACK_NONE,
    CALLBACK_THREAD,   /* runs it in a thread of its own, */
    CALLBACK_AT_END,   /* at the end of the program, */
    CALLBACK_SORT,     /* to sort an array, */
    CALLBACK_FIND,     /* or to find a key in one that is sorted */
    CALLBACK_RUN_ENDS, /* ends the program, and runs what was to be run at its end */
    CALLBACK_COMPUTE   /* runs it to compute the result, sooner or later */
};
struct pack_callback {
    enum callback kind;
    /* Arguments; -1. with: what the function is given. operand: the first of those that it computes
     * the result of. */
    int function, with, key, array, count, size, operand;
};

struct pack_function {
    const char *name;  /* as called in the program: "ggml_mul_mat" */
    const char *word;  /* its name in the pack: "mul_mat" */
    const char *shown; /* its name in messages: "mul_mat" */
    const struct pack *pack;
    enum op_family family;
    bool is_ambient; /* every program calls it: no reason to analyse a caller */
    bool goes_on;    /* an error does not end the run: it returns a code, or uses what is there */
    struct pack_param *params;
    int param_count;
    enum param_role object_role;  /* role of the argument that is an object; ROLE_NONE: none is */
    int object;                   /* that argument */
    const struct node *arguments; /* opaque: their names in the pack; NULL: not said */
    bool returns_tensor, returns_buffer, returns_number;
    bool has_fixed_dtype; /* the dtype of the result depends on no operand */
    enum alias_kind alias;
    int alias_of; /* parameter index, -1: none. ALIAS_SAME of one that was left out: fresh */
    unsigned effects;
    enum question question;
    int line;                     /* in the pack's file */
    int order;                    /* of its entry, among all of all packs */
    const struct pack_rule *rule; /* opaque: checks and results */
    bool differentiable;          /* its result requires grad if an operand does */
    bool floating_only; /* with it: an error if the dtype of the result cannot have a gradient */
    const struct pack_save *saves;
    int save_count;
    enum autocast autocast[DEVICE_COUNT];
    int holds; /* the object that it returns holds the tensors of this parameter; -1 */
    struct pack_callback callback;
    struct pack_named named;
    struct pack_text text;
    struct pack_shape shape;
    enum pack_values values;
    struct pack_interval within;
    const struct pack_field *fields; /* known fields of the record that it returns */
    int field_count;
};

/* A field of a returned record that is known from an argument of the call. */
enum field_source {
    FIELD_ARGUMENT, /* it is the argument, */
    FIELD_ELEMENTS, /* a copy of the array that it points to, */
    FIELD_NDIM,     /* the number of dimensions of the tensor that it is, */
    FIELD_SIZES     /* or an array of their sizes */
};
struct pack_field {
    const char *name;
    int argument;
    enum field_source source;
};

/* The common dtype of two tensors with dimensions; DTYPE_NONE: they have none. */
enum dtype promote_dtypes(enum dtype a, enum dtype b);
/* The parameter with the role; -1: none. */
int pack_param_with(const struct pack_function *f, enum param_role role);
/* The argument that is an object with the role; -1: none. */
int pack_object_argument(const struct pack_function *f, enum param_role role);
/* The argument that is an object whose tensors are operands, such as an optimizer; -1: none. */
int pack_held_argument(const struct pack_function *f);

/* ---- spelling ------------------------------------------------------------------------------- */

/* How fixes write casts and moves. {tensor} stands for the operand, {dtype} or {device} for what it
 * becomes, and {name} for the argument of that name in the call that is fixed. NULL: there are no
 * such fixes. */
struct pack_spelling {
    const char *prefix; /* of functions in programs, if macros wrap them */
    const char *cast, *move, *dtype_of, *device_of, *clone, *detach;
    const char *lowest, *largest; /* the least and the greatest number of a tensor's dtype */
    const char *weight;           /* the member of a layer that has its dtype and device */
    const char *registered; /* sets the member {name} of {object} to {tensor} in such a way that
                               it is moved and cast with it */
    const char *modules, *module_table; /* lists and tables whose members are registered */
    const char *no_grad;                /* begins a block in which nothing is recorded */
    const char *dtypes[DTYPE_END], *devices[DEVICE_COUNT];
    const char *casts[DTYPE_END]; /* to a certain dtype, where that has a form of its own */
};
/* Whether tensors that the library makes can take each other's place, if as much is known of both:
 * nothing frees them, and no gradients are recorded. */
bool pack_makes_values(const struct pack_function *f);
const struct pack_spelling *pack_spelling_of(const struct pack_function *f);
/* The name of f's pack. */
const char *pack_of(const struct pack_function *f);
/* The number that a QUESTION_OF_DTYPE answers; false: not known. */
bool pack_number_of_dtype(const struct pack_function *f, enum dtype d, int64_t *number);
/* The function as programs write it: "ggml_add". */
const char *pack_written_name(struct arena *a, const struct pack_function *f);
/* The same for the first function in f's pack that has exactly these effects, even if packs_select
 * skipped it; NULL: none. */
const char *pack_name_with_effects(struct arena *a, const struct pack_function *f,
                                   unsigned effects);
/* Whether f's pack has a function of this name, even if packs_select skipped it. */
bool pack_has_word(const struct pack_function *f, const char *word);
/* The argument that has this name in the pack; -1: none. */
int pack_argument_named(const struct pack_function *f, const char *name);

/* ---- sets of packs -------------------------------------------------------------------------- */

struct pack_set;
struct pack_set *packs_new(struct arena *a, struct names *names);
/* From here on, dtypes that packs declare are those of this set. Loading a pack implies it. */
void packs_use(const struct pack_set *s);
/* The dtypes that the API of f has, if its pack declares some of its own; 0: it does not. */
dtype_set pack_dtypes(const struct pack_function *f);
/* Reads a pack; false with file, line, column and message. */
bool packs_load(struct pack_set *s, const char *path, struct error *e);
/* Skips functions that are not wanted in packs that are loaded from now on, which halves the time
 * to load a pack. NULL: all are wanted, the default. */
void packs_select(struct pack_set *s, bool (*is_wanted)(const void *data, const char *function),
                  const void *data);
/* The backends that the program is for, in packs that are loaded from now on; none: those that each
 * pack says. */
void packs_set_target(struct pack_set *s, const text_list *names);
bool packs_have_backend(const struct pack_set *s, const char *name);
/* The folder of the builtin packs: $MISCAST_PACKS, else the one compiled in. */
const char *packs_builtin_dir(void);
bool packs_load_text(struct pack_set *s, const char *name, const char *text, struct error *e);
/* From now on, functions of packs that come along are read when they are first asked for. They are
 * not among packs_function_at. */
void packs_read_late(struct pack_set *s);
/* The next function that has effects, in the order of the packs; *at is 0 at first. NULL: none. */
const struct pack_function *packs_next_effective(const struct pack_set *s, int *at);
const struct pack_function *packs_find(const struct pack_set *s,
                                       const char *function); /* interned or not */
int packs_function_count(const struct pack_set *s);
const struct pack_function *packs_function_at(const struct pack_set *s,
                                              int i); /* in the order of the packs */
/* Whether values of this record or opaque type are tensors ("ggml_tensor"). */
bool packs_is_tensor_type(const struct pack_set *s, const char *record);
/* What the field of such a record says, as a question about the tensor; NULL: nothing is known. */
const struct pack_function *packs_tensor_field(const struct pack_set *s, const char *record,
                                               const char *field);
/* A function that returns what is in the field, where the elements are; NULL: it is another. */
const struct pack_function *packs_tensor_pointer(const struct pack_set *s, const char *record,
                                                 const char *field);
/* The dtype that a record of this name is an element of ("__half"); DTYPE_NONE: none. */
enum dtype packs_element_type(const struct pack_set *s, const char *record);
/* From now on, constants of dtypes are what the pack says. */
void packs_number_as_said(struct pack_set *s);
/* What a field of a tensor can be in this program, if it is an enumeration: "F32 0, F16 1". If a
 * pack says that it is a dtype, constants of dtypes are these from now on: names count from where
 * they differ, in any case, and a dtype that is not among them has none. */
void packs_number_field(struct pack_set *s, const char *record, const char *field,
                        const char *constants);
/* The dtype or device of an API's constant; DTYPE_NONE or -1: none. 0 can mean "default". */
enum dtype packs_dtype_of_value(const struct pack_set *s, const struct pack_function *f,
                                int64_t value);
/* gpus: which of the cuda devices it is. */
int packs_device_of_value(const struct pack_set *s, const struct pack_function *f, int64_t value,
                          uint16_t *gpus);
/* The first and the last constant for the device; false: there is none. */
bool packs_values_of_device(const struct pack_function *f, enum device d, int64_t *low,
                            int64_t *high);
/* Whether the constant is the first of several cuda devices. */
bool packs_is_first_gpu(const struct pack_set *s, int64_t value);
int64_t packs_value_of_dtype(const struct pack_set *s, const struct pack_function *f, enum dtype d);
/* The constant for the set of these dtypes, given by their constants; -1: the pack has no sets. */
int64_t packs_value_of_set(const struct pack_function *f, const int64_t *dtypes, int count);
int64_t packs_value_of_device(const struct pack_set *s, const struct pack_function *f,
                              enum device d, int gpu);

/* An example in a pack, and what its call does, in the same words: "error: dtype". */
struct pack_example {
    const char *file;
    int line, column;
    const char *call, *expected, *got;
};
typedef LIST(struct pack_example) pack_example_list;
/* Those of all packs; false after error_at. */
bool packs_examples(const struct pack_set *s, struct arena *a, pack_example_list *out,
                    struct error *e);

/* What this call does. operands: one for each of f's parameters, in order. */
void pack_call(const struct pack_function *f, const struct operand *operands, struct outcome *out);
/* The same with count operands: one for each parameter, then further elements of the one that is
 * many. */
void pack_call_many(const struct pack_function *f, const struct operand *operands, int count,
                    struct outcome *out);
/* The same inside regions; NULL: none. */
void pack_call_in(const struct pack_function *f, const struct operand *operands, int count,
                  const struct regions *regions, struct outcome *out);
/* How the language of the program writes what reasons speak of. */
struct reason_words {
    const char *null;
    const char *option[2]; /* around the name of an option that is passed by name */
    bool are_bare;         /* names of operands are parameters', not the program's: no quotes */
};
/* A reason with its braces filled in. names: of the operands in the program, by parameter; NULL, or
 * one that is NULL: the parameter's own. words NULL: their braces stay, to be filled in later. */
void pack_reason_print(const struct pack_function *f, const struct operand *operands,
                       const char *const *names, const struct reason_words *words,
                       const char *reason, struct text *out);
/* Whether the reason speaks of the parameter. */
bool reason_mentions(const char *reason, const char *param);
/* The sets that an EXPECT call names: bits 1 << dtype, 1 << device. */
void pack_expected(const struct pack_function *f, const struct operand *operands, dtype_set *dtypes,
                   unsigned *devices, uint16_t *gpus);

#endif

/* analyzer/flow: from IR to facts. Abstract interpretation of a whole program: all units of the
 * database are linked, calls are followed into their callees, states of different paths are kept
 * separate while they differ in what matters, and every fact knows its lineage.
 *
 * A root is a function that nobody calls. Each root is analysed as if it were the only one, so that
 * its results depend on the code reachable from it and on nothing else; the results of all roots
 * are joined, function by function, in program order. Most roots add nothing at most functions:
 * those that do are effective there, and are enough to know all about a function. So after a change
 * only the roots that reach it are analysed again, with the roots that are effective in functions
 * whose results changed (frontends/driver/incremental).
 *
 * In: units (ir.h) and packs (pack.h). Out: for each instruction that yields a tensor the facts
 * about it, for each call of a pack function the errors it can raise, and the contracts of
 * functions nobody calls. The folders of this layer are listed in analysis.h. */
#ifndef ANALYZER_FLOW_H
#define ANALYZER_FLOW_H

#include "analyzer/ir/ir.h"
#include "analyzer/pack/pack.h"

/* ---- facts ----------------------------------------------------------------------------------- */

enum tri { TRI_NO = 1, TRI_YES = 2, TRI_MAYBE = 3 };
/* Raw memory only. In dtypes: the type of its elements is not known; in devices: all of them can
 * access it. */
#define DTYPES_UNTYPED DTYPE_BIT(DTYPE_NONE)
#define DEVICES_SHARED ((uint8_t)(1u << DEVICE_COUNT))
/* Wherever a tensor can be. */
#define DEVICES_EVERY ((uint8_t)(DEVICES_SHARED - 1))

enum { SHAPE_MAX = 8 };

/* The size of each dimension, -1: not known; of raw memory its size in bytes, as the only
 * dimension. Equal shapes are the same pointer. */
struct shape {
    int count;
    int64_t dims[SHAPE_MAX];
};

/* What the elements of a tensor can be; without is_known: whatever its dtype can hold. A bound that
 * is met is the value of some element in every run, else it is a bound and no more. */
struct value_range {
    double low, high; /* every element that is a number is between them, an infinite one too */
    bool is_known;
    bool is_whole;   /* all that are finite are integers */
    bool may_be_nan; /* with low > high: all of them are */
    bool meets_low, meets_high;
    bool is_single; /* in each run they are one number, which is not known exactly */
    bool has_other; /* in some run, one of a list is an integer that f32 does not have */
};

/* What a tensor, or the memory at a raw pointer, can be at one place. */
struct fact {
    dtype_set dtypes;
    uint8_t devices;
    uint8_t zero_dim; /* enum tri, as are the next three */
    uint8_t grad;     /* whether it requires grad */
    uint8_t null;     /* whether it may be NULL */
    uint8_t leaf;     /* whether no op on the tape made it */
    bool grad_open;   /* code that is not here may make it require grad, whatever grad says: assumed
                         not to, but not certain */
    uint16_t ranks;   /* bits 1 << number of dimensions; 0: only zero_dim is known */
    uint16_t gpus;    /* the cuda devices that it can be on; 0: any of them */
    bool buffer;      /* raw memory: only dtypes, devices and null of the above */
    const struct shape *shape;   /* NULL: not known */
    const struct extent *extent; /* sizes that are not all known; NULL: none. Only while a root is
                                    analysed */
    struct value_range range;    /* of its elements */
};

/* A place that decided a fact, and the steps before it. */
struct step_choice;
struct step {
    const struct ir_function *function;
    ir_value inst; /* 0: a parameter or a global's unknown contents */
    struct span span;
    const char *what; /* the op: "to_dtype"; without inst: why it is so, if there is no place */
    const struct access_path *place; /* whose initial value it is; NULL: none */
    struct fact fact;                /* of the result */
    const struct step *from[2];      /* the operands that decided its dtype; NULL: decided here */
    const struct step *on;           /* the operand that decided its device; NULL: decided here */
    const struct condition *when;
    const struct frame_place *called; /* the calls that led here, innermost first */
    double rounds;                    /* of a call: as in flow_call, when it was first made */
    /* Digests of the places that it leads back to: itself, with the steps before it, and with
     * those before these. The same in another run. */
    uint64_t near[3];
    /* While a root is run: it is one of two, by a condition, and looks like the first; it is, or
     * one of those before it. */
    const struct step_choice *choice;
    bool has_choice;
};

struct condition { /* a branch taken on the path */
    const struct ir_function *function;
    struct span span;
    bool truth;
    bool is_case; /* a case of a switch with this value; with truth false: the default */
    int64_t value;
    bool is_hidden; /* in code that is not shown, a model file; or that memory could be allocated */
    bool is_over; /* in an iteration of a loop that may have been followed by others, which may have
                     taken another */
    const struct condition *before;
};

struct frame_place {
    struct span span; /* of the call */
    const struct ir_function *caller;
    const struct frame_place *outer;
};

/* ---- results --------------------------------------------------------------------------------- */

enum { FLOW_OTHER_WAYS = 7, FLOW_ALIASES = 4 };

/* An operand that a call returns, or a view or copy of it. */
struct flow_alias {
    uint8_t kinds;         /* bits 1 << enum alias_kind, of all paths; fresh: a copy */
    const struct step *of; /* how the operand was made */
};

/* What an instruction yields, if that is a tensor or a pointer to raw memory, over all paths and
 * callers. */
struct flow_value {
    const struct ir_function *function;
    ir_value inst;
    struct fact fact;
    const struct step *how;
    const struct step *other_ways[FLOW_OTHER_WAYS]; /* with another dtype or device */
    int other_way_count;
    /* Tensors only: the calls that made it, one step each, as many as fit. */
    const struct step *made[FLOW_ALIASES];
    int made_count;
    /* Of a call that may return an operand or a view of it. */
    struct flow_alias aliases[FLOW_ALIASES];
    int alias_count;
    const struct step *via;     /* a call that returned it unchanged: a cast without effect */
    const struct step *changed; /* the last call before this that changed it in place; NULL: none */
};

enum { FLOW_NUMBERS = 4 };

/* A parameter of a pack call: everything it was on any path. */
struct flow_operand {
    int param;                /* its index in the callee */
    ir_value value;           /* as in flow_failing */
    enum operand_kind kind;   /* OPERAND_ABSENT: it is never passed */
    bool absent;              /* sometimes it is not passed */
    struct fact fact;         /* of a tensor or raw memory */
    bool unknown;             /* it can be a parameter of a root */
    const struct step *how;   /* on the first path */
    const struct step *moved; /* of one that the call changes: as how, if a cast or move may have
                                 made another tensor of it before */
    const struct step *half;  /* of tensors that an object holds: one that can be f16 or bf16 */
    double numbers[FLOW_NUMBERS]; /* of a number; of a dtype or device: enum dtype, enum device */
    int number_count;
    bool any_number; /* and others that are not known */
    /* In one case of the call, of a single tensor: the call that made it, the one that returned it
     * unchanged, and the last that changed it in place. */
    const struct step *made, *via, *changed;
};

/* A call in one case: what its operands were together, from some caller and under some condition.
 * Only what is certain is a case: no states were joined on the way for lack of room. */
struct flow_case {
    struct digest key; /* of all that follows, as far as rules can see it, but for condition and
                          caller */
    uint64_t coarse;   /* of the dtypes and devices alone */
    struct flow_operand *operands; /* as those of the call */
    dtype_set autocast[DEVICE_COUNT];
    bool has_result;
    struct fact result;     /* of a tensor */
    const struct step *how; /* the result was made; NULL: not known */
    const struct step *via; /* as in flow_value */
    uint8_t aliases;        /* what the result may be to an operand: bits 1 << enum alias_kind */
    const struct condition *when; /* branches that were always taken before it */
    const struct frame_place *called;
};

/* Of one call as many cases are kept, and as many more that differ in a dtype or device. */
enum { FLOW_CASES = 32 };

/* What the size that a call about raw memory asks for counts, as far as it is known. */
enum flow_sizes { SIZES_UNKNOWN, SIZES_COUNT_BYTES = 1, SIZES_COUNT_ELEMENTS = 2 };

/* A call of a pack function that was reached. */
struct flow_call {
    const struct ir_function *function;
    ir_value inst;
    const struct pack_function *callee;
    struct flow_operand operands[PACK_MAX_PARAMS]; /* one for each of the callee's parameters */
    int operand_count;
    dtype_set
        autocast[DEVICE_COUNT]; /* bits 1 << dtype of the regions it is in; DTYPE_NONE: in none */
    uint8_t records;            /* enum tri: whether gradients are recorded */
    const struct frame_place
        *called;   /* a call that entered the function; NULL: none, it is a root */
    bool several;  /* there are other callers */
    uint8_t sizes; /* of all paths: bits of enum flow_sizes */
    /* Of a call that reads or clips gradients or takes an optimizer step: what a gradient scaler
     * did to them before, on some path; the backward that they came from, and where the scaler was
     * made. */
    double rounds;     /* how often every run that gets there makes it at least, by the loops around
                          it; 0: not known */
    uint8_t gradients; /* bits GRADIENTS_ */
    const struct step *graded, *scaler;
    struct flow_case *cases; /* in the order in which they were found, the roots' in theirs */
    int case_count;
    bool has_more; /* it was also reached in others, which are not certain or too many */
    bool fails;    /* and in others, in which it fails */
};

/* GRADIENTS_HALF: some of them may be in f16 or bf16, and a scaler unscales them here that may be
 * enabled. */
enum { GRADIENTS_SCALED = 1, GRADIENTS_UNSCALED = 2, GRADIENTS_HALF = 4 };

/* Reasons of ERROR_UNSCALE: the call that should have come before. */
extern const char flow_not_scaled[], flow_not_updated[], flow_unscaled_twice[], flow_not_unscaled[],
    flow_not_graded[];

/* A call of a pack function that can fail. Or what the program does with a pointer that the
 * function returned: a cast to elements of another dtype; a load or store of memory that the
 * host cannot access. */
struct flow_failure {
    const struct ir_function *function;
    ir_value inst;
    const struct pack_function *callee;
    enum error_kind kind;
    const char *reason;
    bool always;    /* it fails on every path that reaches it */
    bool unknown;   /* an operand is a parameter of a root: a contract, not a finding */
    bool is_hidden; /* the call is in code that is not shown, as a part of what the instruction does
                     */
    bool past;      /* only after another call failed, though other paths reach it too */
    bool behind;    /* only after another call failed, whether or not other paths reach it */
    bool caught;    /* the program handles what it raises */
    bool joined;    /* with blurred: states were joined for lack of room */
    bool blurred;   /* states of several paths were joined, or the cuda device is not known: the
                       failing combination may be on no path */
    bool vague;     /* an operand can have any dtype, as uninitialised memory has, or may or may not
                       require a gradient, where that is what fails */
    const struct operand
        *failing; /* the failing combination, by parameter and then further members; NULL: none */
    int failing_count;
    int operand_count;
    struct flow_failing {
        const char *name; /* of the parameter */
        int param;        /* its index in the callee */
        ir_value value;   /* the argument of the call, or the value stored to that field of options;
                             0: not passed */
        struct fact fact;
        dtype_set dtypes; /* with which the call works, */
        uint8_t devices;  /* whatever the others are */
        uint16_t gpus;
        const struct step *how;
    } operands[8];
    bool one_dtype, one_device; /* it works only if all its tensors have the same */
    const struct condition *when;
    const struct frame_place *called;
    /* Of errors in backward: the op that has no backward, and the op that changed what it saved;
     * NULL: none. */
    const struct step *recorded,
        *changed; /* of a scaler: the backward before, and where the scaler was made */
};

/* An optimizer step, and a tensor that the optimizer holds and that no backward of the program
 * reaches. */
struct flow_untrained {
    const struct ir_function *function;
    ir_value inst;
    const struct step *how; /* the tensor */
    bool is_alone; /* the root is a program of its own, and what its backwards reach is known */
};

/* An optimizer step that never finds a gradient: none of the tensors has one, or all were cleared;
 * or one that uses those of earlier steps again, since nothing clears them. */
struct flow_bad_step {
    const struct ir_function *function;
    ir_value inst;
    const struct step *how; /* one of the tensors */
    enum { STEP_UNGRADED, STEP_CLEARED, STEP_PILED } kind;
};

/* An object that registers its members was moved, cast or asked for its parameters, and a container
 * that it keeps as an attribute holds others with tensors, which are not registered. Or it keeps
 * tensors that backward gives a gradient and no optimizer steps with, or that its state leaves out.
 * Or an attribute of it was set that only its parameters have. */
struct flow_left_out {
    const struct ir_function *function; /* that set the attribute, */
    ir_value inst;                      /* there */
    const char *name;                   /* of the attribute */
    bool is_moved;                      /* else asked for its parameters */
    bool are_tensors;                   /* else modules; */
    bool is_late;          /* they are registered, after the owner was asked for its parameters */
    bool is_unsaved;       /* a tensor that is no buffer, where the owner was asked for its state */
    bool is_thawed;        /* that were frozen for a while; at: an optimizer steps */
    bool is_of_parameters; /* no member, but what the owner's parameters have: where it was set */
    const char *meant; /* what parameters have, of which the name is a misspelling; NULL: none */
    struct span at;
};

/* Limits beyond which the analysis goes on, with less than it could know. */
enum flow_limit {
    FLOW_LIMIT_STATES, /* states at a block, or after a call, that were joined for lack of room */
    FLOW_LIMIT_RECURSION, /* rounds of a recursive function, which reached no fixpoint */
    FLOW_LIMIT_TAPE,      /* ops on the tape that backward goes through */
    FLOW_LIMIT_CHOICES,   /* what one operand of a call can be */
    FLOW_LIMIT_ARGUMENTS, /* arguments of a call */
    FLOW_LIMIT_ALIASES,   /* operands that a result may share memory with */
    FLOW_LIMIT_CASES,     /* cases of a call */
    FLOW_LIMIT_COUNT
};

/* What is assumed of code that cannot be seen, and of sizes, unless the analysis is strict. */
enum flow_assumed {
    FLOW_ASSUMED_DECORATOR, /* returns what it decorates */
    FLOW_ASSUMED_BASE,      /* of a class: changes nothing about attributes */
    FLOW_ASSUMED_CALL,      /* does not change the dtype or device of a tensor */
    FLOW_ASSUMED_REGION,    /* a region is none that matters, and handles no exception */
    FLOW_ASSUMED_NAMES,     /* code from text replaces no functions and classes */
    FLOW_ASSUMED_SIZE,      /* is at least 1 */
    FLOW_ASSUMED_COUNT
};

/* Functions that are called and are neither in the program nor in a pack, by name. */
struct missing_call {
    const char *name; /* ir_callee_name() */
    int count;        /* of calls */
};
typedef LIST(struct missing_call) missing_list;
/* Names are copied. */
void missing_add(struct arena *a, missing_list *to, const char *name, int count);
void missing_join(struct arena *a, missing_list *to, const missing_list *from);

struct flow_counts { /* the coverage line */
    int functions, functions_analysed, roots;
    int calls, calls_unmodelled; /* of functions that are neither in the program nor in a pack */
    missing_list missing;        /* which those are; of all roots only, not of each */
    int anything;                /* instructions that the frontend could not lower */
    int budgets;                 /* functions or loops cut short */
    struct span cut; /* the first call or instruction where that happened; no file: none */
    int limits[FLOW_LIMIT_COUNT];    /* places where each was reached, of each root */
    int assumed[FLOW_ASSUMED_COUNT]; /* places of each root where it was */
    int dropped; /* failures that are not certain, since states were joined for lack of room */
};

struct flow;
struct flow_options {
    int max_states; /* per block; 0: 32 */
    bool apart;  /* several states per block, up to max_states, instead of one in which what differs
                    between paths is kept by conditions; so is a root that is too large for one */
    int threads; /* that analyse roots; 0: one. The results are the same */
    int64_t max_visits; /* of instructions, per root; 0: a million */
    bool past_errors; /* continue behind a call that always fails, with an unknown result, to report
                         further failures */
    bool incomplete; /* units of the program are missing, or parts of them: missing code may set any
                        global, and change whatever was passed to it */
    bool strict;     /* nothing is assumed of code that cannot be seen */
    const char *const *assume; /* 'PLACE=DTYPE[@DEVICE]' */
    int assume_count;
};

/* Links and analyses. The units and packs must outlive the result. Results are in a fixed order. */
struct flow *flow_run(struct ir_unit *const *units, int unit_count, const struct pack_set *packs,
                      const struct flow_options *options, struct error *e);
void flow_free(struct flow *f);

/* ---- parts of a program ---------------------------------------------------------------------- */

/* A function that a root entered. */
struct flow_reach {
    const struct ir_function *function;
    struct digest gave; /* the digest of all its results there */
    bool effective;     /* its results added something to those of earlier roots */
};

struct flow_root {
    const struct ir_function *function;
    struct flow_counts counts; /* only roots, calls, anything, budgets, cut and limits */
    bool graded_unknown;       /* a backward of it reached tensors that are not known */
    const struct flow_reach *reached;
    int reached_count;
};

/* Instead of flow_run, for a part of a program: units by their rank in the program, and the
 * roots to analyse, with all code reachable from them. flow_join computes the results of what
 * was analysed so far: exact for functions all of whose effective roots were. */
struct flow *flow_begin(const struct pack_set *packs, const struct flow_options *options,
                        struct error *e);
void flow_add(struct flow *f, const struct ir_unit *u, int rank);
void flow_run_roots(struct flow *f, const struct ir_function *const *roots, int count);
void flow_join(struct flow *f);

int flow_root_count(const struct flow *f);
/* The cost so far, in visits of instructions. */
int64_t flow_spent(const struct flow *f);
const struct flow_root *flow_root_at(const struct flow *f, int i); /* in program order */
/* The functions that it calls and that are neither in the program nor in a pack. */
missing_list flow_missing_in(const struct flow *f, const struct ir_function *fn);
/* Whether what the instruction yields is a device, or its name, and is passed to a function of a
 * library that is followed. */
bool flow_names_device(const struct flow *f, const struct ir_function *fn, ir_value inst);
/* How many failures in it are not certain, since states were joined for lack of room. */
int flow_dropped_in(const struct flow *f, const struct ir_function *fn);
bool flow_was_entered(const struct flow *f, const struct ir_function *fn);
/* From now on, calls back with every function whose results are read; NULL: stop. */
void flow_watch(struct flow *f, void (*asked)(void *context, const struct ir_function *fn),
                void *context);
/* For callers that read the code of a function directly. */
void flow_touch(const struct flow *f, const struct ir_function *fn);
/* The function of the program that is called there directly; NULL: none. */
const struct ir_function *flow_callee_of(const struct flow *f, const struct ir_function *fn,
                                         ir_value inst);

int flow_value_count(const struct flow *f);
const struct flow_value *flow_value_at(const struct flow *f,
                                       int i); /* by unit, function, instruction */
const struct flow_value *flow_value_of(const struct flow *f, const struct ir_function *fn,
                                       ir_value inst);
int flow_failure_count(const struct flow *f);
const struct flow_failure *flow_failure_at(const struct flow *f, int i);
int flow_call_count(const struct flow *f);
int flow_untrained_count(const struct flow *f);
const struct flow_untrained *flow_untrained_at(const struct flow *f, int i);
/* Whether no other backward can reach it. */
bool flow_is_untrained(const struct flow *f, const struct flow_untrained *idle);
int flow_bad_step_count(const struct flow *f);
const struct flow_bad_step *flow_bad_step_at(const struct flow *f, int i);
int flow_left_out_count(const struct flow *f);
const struct flow_left_out *flow_left_out_at(const struct flow *f, int i);
const struct flow_call *flow_call_at(const struct flow *f, int i); /* as values are ordered */
const struct flow_call *flow_call_of(const struct flow *f, const struct ir_function *fn,
                                     ir_value inst); /* NULL: it was not reached */
/* Whether the i-th assumption applied to anything that was analysed. */
bool flow_assumption_used(const struct flow *f, int i);
const struct flow_counts *flow_counts(const struct flow *f);
/* Calls that packs describe, and that take tensors: those whose tensors all have a known dtype,
 * those where some are from outside instead, and those that were not reached. */
struct flow_known {
    int calls, known, outside, unreached;
};
struct flow_known flow_known(const struct flow *f);

/* Whether the tensors of two steps share memory, as views do; TRI_YES: those made in the same
 * iteration of a loop do. */
enum tri flow_shares(const struct flow *f, const struct step *a, const struct step *b);

/* How a result is used, over all paths; the greatest that applies. */
enum flow_use {
    USE_NONE, /* not at all */
    USE_KEPT, /* stored to a variable that is not read before it is overwritten or goes out of scope
               */
    USE_WRITTEN, /* changed in place, and never read */
    USE_READ
};
/* USE_READ also if the function was not analysed. */
enum flow_use flow_use_of(const struct flow *f, const struct ir_function *fn, ir_value inst);

/* The number of elements; -1: not known, as of NULL. */
int64_t shape_elements(const struct shape *s);
/* "[2, ?]" */
void shape_print(const struct shape *s, struct text *out);
/* The range of the elements, within what the dtype can hold. */
struct value_range fact_range(const struct fact *f);
/* All numbers that the dtype can hold; what it makes of others: rounded, wrapped around, truncated
 * or infinite. */
struct value_range dtype_range(enum dtype d);
struct value_range range_stored(struct value_range r, enum dtype d);
/* All elements are this number. */
struct value_range range_of_number(double n);
/* Of each element, or of each pair of them, before it is stored. Results that are not exact are a
 * little wider, by the precision of d. */
struct value_range range_unary(enum pack_values what, const struct value_range *x, enum dtype d);
struct value_range range_binary(enum pack_values what, const struct value_range *x,
                                const struct value_range *y, enum dtype d);
bool range_is_constant(const struct value_range *r); /* all elements are the same number */
/* The largest absolute value; the largest of those that are met, 0: none is. */
double range_most(const struct value_range *r);
double range_met(const struct value_range *r);
/* "0..255", "all 7", ">= 0"; nothing if it is not known. */
void range_print(const struct value_range *r, struct text *out);
/* The integers up to which every one is exact in the dtype; infinite: it holds none that is not. */
double dtype_exact(enum dtype d);
/* Where it can be: the CPU's bit, then one for each cuda device. */
unsigned fact_places(const struct fact *f);
/* "f16|f32", "ints|floats", "any dtype" */
void dtypes_print(dtype_set dtypes, struct text *out);
/* The size of raw memory; -1: not known. */
int64_t fact_bytes(const struct fact *f);
/* "f16|f32 cuda 0-dim", "f32 cuda:1", "f32 cpu, 4096 bytes"; null: the word for no tensor. */
void fact_print(const struct fact *f, const char *null, struct text *out);
/* The same without unknown parts: "f16|f32", "cuda", or nothing at all. */
void fact_print_known(const struct fact *f, const char *null, struct text *out);

#endif

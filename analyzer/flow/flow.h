/* analyzer/flow: from IR to facts. Abstract interpretation of a whole program: every unit of the
 * database is linked, functions are followed into from where they are called, states are kept apart
 * per path while they differ in what matters, and every fact knows how it came about.
 *
 * Roots are functions that nobody calls. Each is run as if it were the only one, so that what it
 * gives depends on nothing but the code it can get at; what they give is joined, function by
 * function, in their order. Most roots add nothing at most functions: those that do are effective
 * there, and to know all of a function it is enough to run them. So a program of which a part
 * changed need be run only where that part can be got at, with the roots that are effective in
 * functions where something else comes out than before (frontends/driver/incremental).
 *
 * In: units (ir.h) and packs (pack.h). Out: for each instruction that yields a tensor what it can
 * be, for each call of a packed function which errors it can raise, and the contracts of functions
 * nobody calls. */
#ifndef ANALYZER_FLOW_H
#define ANALYZER_FLOW_H

#include "analyzer/ir/ir.h"
#include "analyzer/pack/pack.h"

/* ---- facts --------------------------------------------------------------------------------- */

#define DTYPES_ALL  ((uint16_t)(((1u << DTYPE_COUNT) - 1) & ~1u)) /* bits 1 << dtype */
#define DEVICES_ALL ((uint8_t)((1u << DEVICE_COUNT) - 1))
enum tri { TRI_NO = 1, TRI_YES = 2, TRI_MAYBE = 3 };
/* Raw memory only. In dtypes: nothing says what its elements are; in devices: all of them reach it.
 */
#define DTYPES_UNTYPED ((uint16_t)(1u << DTYPE_NONE))
#define DEVICES_SHARED ((uint8_t)(1u << DEVICE_COUNT))

enum { SHAPE_MAX = 8 };

/* How large each dimension is, -1: not known; of raw memory its size in bytes, as the only one. The
 * same shape is the same pointer. */
struct shape {
    int count;
    int64_t dims[SHAPE_MAX];
};

/* What a tensor, or the memory at a raw pointer, can be at one place. */
struct fact {
    uint16_t dtypes;
    uint8_t devices;
    uint8_t zero_dim; /* enum tri, as are the next three */
    uint8_t grad;     /* whether it requires grad */
    uint8_t null;     /* whether it may be NULL */
    uint8_t leaf;     /* whether no recorded op made it */
    bool grad_open;   /* someone outside may have it require grad, beside what grad says; it is
                         taken not to, but asked for it may be so */
    uint16_t ranks;   /* bits 1 << number of dimensions; 0: zero_dim is all that is known */
    uint16_t gpus;    /* which of the cuda devices, if it is one of them; 0: of those any */
    bool buffer;      /* raw memory: of the above dtypes, devices and null */
    const struct shape *shape; /* NULL: not known */
};

/* One place that decided a fact, and what decided it before. */
struct step {
    const struct ir_function *function;
    ir_value inst; /* 0: a parameter or a global's unknown contents */
    struct span span;
    const char *what; /* the op: "to_dtype"; without inst: why it is so, if there is no place */
    const struct access_path *place; /* that it was in before the program wrote it; NULL: none */
    struct fact fact;                /* of what came out there */
    const struct step *from[2];      /* the operands that decided its dtype; NULL: decided here */
    const struct step *on;           /* the operand that it lies with; NULL: that is decided here */
    const struct condition *when;
    const struct frame_place *called; /* the calls on the way in, innermost first */
};

struct condition { /* a branch that was taken on the way */
    const struct ir_function *function;
    struct span span;
    bool truth;
    bool is_case; /* what is switched on is this value; with truth false: none of those listed */
    int64_t value;
    const struct condition *before;
};

struct frame_place {
    struct span span; /* of the call */
    const struct ir_function *caller;
    const struct frame_place *outer;
};

/* ---- what was found ------------------------------------------------------------------------- */

enum { FLOW_OTHER_WAYS = 7, FLOW_ALIASES = 4 };

/* An operand that a call returns, or a view or copy of it. */
struct flow_alias {
    uint8_t kinds; /* bits 1 << enum alias_kind, of all that was seen; fresh: a copy, although it
                      need not have been one */
    const struct step *of; /* how the operand was made */
};

/* What an instruction that yields a tensor, or a pointer to raw memory, can be, over all paths and
 * callers. */
struct flow_value {
    const struct ir_function *function;
    ir_value inst;
    struct fact fact;
    const struct step *how;
    const struct step *other_ways[FLOW_OTHER_WAYS]; /* that gave another dtype or device */
    int other_way_count;
    /* Tensors only. The calls that made it, one step each, as many as fit. */
    const struct step *made[FLOW_ALIASES];
    int made_count;
    /* Of a call that may return an operand, or a view of it. */
    struct flow_alias aliases[FLOW_ALIASES];
    int alias_count;
    const struct step *via; /* a call that returned it as it was: a cast that changed nothing */
    const struct step
        *changed; /* the call that changed it in place last, before this; NULL: none */
};

enum { FLOW_NUMBERS = 4 };

/* A parameter of a packed call: all it was seen to be. */
struct flow_operand {
    int param;                    /* its index in the callee */
    ir_value value;               /* as in flow_failing */
    enum operand_kind kind;       /* OPERAND_ABSENT: it never was given */
    bool absent;                  /* sometimes it was not */
    struct fact fact;             /* of a tensor or raw memory */
    bool unknown;                 /* it can be a parameter nobody fills */
    const struct step *how;       /* of the first way */
    const struct step *half;      /* of those that an object holds: of one that can be half */
    double numbers[FLOW_NUMBERS]; /* of a number; of a dtype or device: enum dtype, enum device */
    int number_count;
    bool any_number; /* and others that are not known */
};

/* A call of a packed function that was reached. */
struct flow_call {
    const struct ir_function *function;
    ir_value inst;
    const struct pack_function *callee;
    struct flow_operand operands[PACK_MAX_PARAMS]; /* one for each of the callee's parameters */
    int operand_count;
    uint16_t autocast[DEVICE_COUNT];  /* bits 1 << dtype of the regions it was seen in; DTYPE_NONE:
                                         in none */
    const struct frame_place *called; /* a call by which the function was entered; NULL: by none */
    bool several;                     /* it was also entered by another */
    /* Of one that clips gradients or steps: what a scaler did to them before, on some path; the
     * backward that they came from, and where the scaler was made. */
    uint8_t gradients; /* bits GRADIENTS_ */
    const struct step *graded, *scaler;
};

enum { GRADIENTS_SCALED = 1, GRADIENTS_UNSCALED = 2 };

/* Reasons of ERROR_UNSCALE: what should have come before. */
extern const char flow_not_scaled[], flow_not_updated[], flow_unscaled_twice[];

/* A call of a packed function that can fail. Or what the program does with a pointer that the
 * callee gave: a cast to elements of another dtype than it has; a load or store where the host has
 * no access. */
struct flow_failure {
    const struct ir_function *function;
    ir_value inst;
    const struct pack_function *callee;
    enum error_kind kind;
    const char *reason;
    bool always;  /* every path that was seen to get here fails */
    bool unknown; /* an operand is a parameter nobody fills: a contract, not a finding */
    bool past;    /* only where another call failed before, though runs get here otherwise */
    bool joined;  /* with blurred: paths were joined for lack of room */
    bool blurred; /* paths were joined, for there were too many, or it is not known which of the
                     cuda devices is meant: the combination that fails may be of no path */
    bool vague;   /* an operand can be of any dtype, as what nobody has put anywhere */
    const struct operand
        *failing; /* that combination, by parameter and then further members; NULL */
    int failing_count;
    int operand_count;
    struct flow_failing {
        const char *name; /* of the parameter */
        int param;        /* its index in the callee */
        ir_value value;   /* the argument in the call, or what was put into that field of options;
                             0: left out */
        struct fact fact;
        uint16_t dtypes; /* with which the call works, */
        uint8_t devices; /* over all the others can be */
        uint16_t gpus;
        const struct step *how;
    } operands[8];
    bool one_dtype, one_device; /* it works only if its tensors have one */
    const struct condition *when;
    const struct frame_place *called;
    /* Of errors in backward: the op that cannot be gone back through, and the op that changed what
     * it saved; NULL: none. */
    const struct step *recorded,
        *changed; /* of a scaler: the backward that was before, and where it was made */
};

/* A call that changes what an object holds by its gradient, and a tensor that it holds and that no
 * backward of the program gets to. */
struct flow_untrained {
    const struct ir_function *function;
    ir_value inst;
    const struct step *how; /* the tensor */
};

/* Limits beyond which the analysis goes on, with less than it could know. */
enum flow_limit {
    FLOW_LIMIT_STATES,    /* states at a block, or after a call, that were joined for lack of room */
    FLOW_LIMIT_RECURSION, /* rounds of a recursive function, which reached no fixpoint */
    FLOW_LIMIT_TAPE,      /* ops on the tape that backward goes through */
    FLOW_LIMIT_CHOICES,   /* what one operand of a call can be */
    FLOW_LIMIT_ARGUMENTS, /* arguments of a call */
    FLOW_LIMIT_ALIASES,   /* operands that a result may share memory with */
    FLOW_LIMIT_COUNT
};

struct flow_counts { /* the coverage line */
    int functions, functions_analysed, roots;
    int calls, calls_unmodelled; /* of functions that are neither here nor in a pack */
    int anything;                /* instructions the frontend could not say */
    int budgets;                 /* functions or loops cut short */
    struct span cut;             /* the call or instruction where that was first; no file: none */
    int limits[FLOW_LIMIT_COUNT]; /* places where each was reached, of each root */
    int dropped; /* failures that are not certain, since states were joined for lack of room */
};

struct flow;
struct flow_options {
    int max_states;     /* per block; 0: 32 */
    int64_t max_visits; /* of instructions, per root; 0: a million */
    bool past_errors;   /* go on behind a call that always fails, with a result that is not known:
                           what comes after it is worth a look, too */
    bool incomplete; /* units of the program are missing, or parts of them: whatever is not here may
                        set any global, and change what it was ever given */
    const char *const *assume; /* 'PLACE=DTYPE[@DEVICE]' */
    int assume_count;
};

/* Links and analyses. The units and packs must outlive it. Results are in a fixed order. */
struct flow *flow_run(struct ir_unit *const *units, int unit_count, const struct pack_set *packs,
                      const struct flow_options *options, struct error *e);
void flow_free(struct flow *f);

/* ---- parts of a program --------------------------------------------------------------------- */

/* A function that a root entered. */
struct flow_reach {
    const struct ir_function *function;
    struct digest gave; /* what joining goes by, of all that the root gave there */
    bool effective;     /* it added something to what the roots before it gave */
};

struct flow_root {
    const struct ir_function *function;
    struct flow_counts counts; /* only roots, calls, anything, budgets, cut and limits */
    bool graded_unknown;       /* a backward of it got to who knows what */
    const struct flow_reach *reached;
    int reached_count;
};

/* Instead of flow_run: units by their rank in the program, and the roots that are wanted, with all
 * that they can get at there already. flow_join makes results of what was run so far: exact where
 * all roots are there that are effective in the whole program. */
struct flow *flow_begin(const struct pack_set *packs, const struct flow_options *options,
                        struct error *e);
void flow_add(struct flow *f, const struct ir_unit *u, int rank);
void flow_run_root(struct flow *f, const struct ir_function *root);
void flow_join(struct flow *f);

int flow_root_count(const struct flow *f);
/* What running took so far, in visits of instructions. */
int64_t flow_spent(const struct flow *f);
const struct flow_root *flow_root_at(const struct flow *f, int i); /* in the order of roots */
/* How many calls in it are of functions that are neither here nor in a pack. */
int flow_missing_in(const struct flow *f, const struct ir_function *fn);
/* How many failures in it are not certain, since states were joined for lack of room. */
int flow_dropped_in(const struct flow *f, const struct ir_function *fn);
bool flow_was_entered(const struct flow *f, const struct ir_function *fn);
/* From now on, tells of every function that results are asked for of; NULL: nobody wants to know.
 */
void flow_watch(struct flow *f, void (*asked)(void *context, const struct ir_function *fn),
                void *context);
/* For whoever looks at a function's code for what it does. */
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
const struct flow_call *flow_call_at(const struct flow *f, int i); /* as values are ordered */
const struct flow_call *flow_call_of(const struct flow *f, const struct ir_function *fn,
                                     ir_value inst); /* NULL: it was not reached */
/* Whether anything that was analysed is what the i-th assumption is about. */
bool flow_assumption_used(const struct flow *f, int i);
const struct flow_counts *flow_counts(const struct flow *f);

/* Whether the tensors that two steps made share memory, as views do; TRI_YES: those that were made
 * in one round of a loop do. */
enum tri flow_shares(const struct flow *f, const struct step *a, const struct step *b);

/* What becomes of a result, from nothing on; on no path more. */
enum flow_use {
    USE_NONE, /* nothing is done with it */
    USE_KEPT, /* it is put into a variable that nobody reads before it is written again or gone */
    USE_WRITTEN, /* it is changed in place, and nobody looks at that */
    USE_READ
};
/* Of a function that was analysed; of another: USE_READ. */
enum flow_use flow_use_of(const struct flow *f, const struct ir_function *fn, ir_value inst);

/* How many elements it has; -1: not known, as of NULL. */
int64_t shape_elements(const struct shape *s);
/* "[2, ?]" */
void shape_print(const struct shape *s, struct text *out);
/* Where it can be: the CPU's bit, and above it one for each of the cuda devices. */
unsigned fact_places(const struct fact *f);
/* "f16|f32", "ints|floats", "any dtype" */
void dtypes_print(uint16_t dtypes, struct text *out);
/* The size of raw memory; -1: not known. */
int64_t fact_bytes(const struct fact *f);
/* "f16|f32 cuda 0-dim", "f32 cuda:1", "f32 cpu, 4096 bytes"; null: the word for no tensor. */
void fact_print(const struct fact *f, const char *null, struct text *out);
/* The same without what may be anything: "f16|f32", "cuda", or nothing at all. */
void fact_print_known(const struct fact *f, const char *null, struct text *out);

#endif

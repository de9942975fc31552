/* rules/engine: what a rule stands on. A rule is asked about failures (calls that can fail), about
 * calls that were reached, or about the program; it answers with findings.
 *
 *   rule_table.c       the rules as a table, and the words that select them
 *   check.c            runs every rule
 *   call.c             a call of a function in a pack: what each parameter was given
 *   whole_numbers.c    calls that produce positions and indices, and how large these get
 *   control_flow.c     loops, uses and paths within a function
 *   reaching_stores.c  reaching definitions: the stores that may still hold at a read
 *   autocast_region.c  what can run inside an autocast region
 *   failure.c          a failure, with one combination of operands that fails
 *   root_cause.c       failures that only follow from others
 *   lineage.c          where the dtype or device of an operand was decided
 *   conversions.c      the casts and moves applied to a tensor
 *   consumers.c        the calls that use the result of a call
 *   emit.c             findings
 *   fix.c              edits: casts and moves as the API writes them
 *   fix_failure.c      fixes of failures: casts and moves after which the call works
 *   device_origin.c    how tensors came to be on different devices */
#ifndef RULES_ENGINE_H
#define RULES_ENGINE_H

#include "rules/rules.h"

struct check {
    const struct check_input *in;
    const bool *selected;
    finding_list *out;
    const struct rule *rule; /* that is asked now */
    struct map *codes;       /* of functions, by address */
    struct map *failed;      /* calls that always fail (root_cause.c) */
    struct map *said;        /* by rule and instruction */
    struct map *moves;       /* by step (conversions.c); NULL: nobody asked yet */
    struct map *uses;        /* by call (consumers.c); the same */
};

/* check.c: whether anything is to be said of the function; from now on it is about that. */
bool is_asked_about(const struct check *c, const struct ir_function *f);

/* ---- calls --------------------------------------------------------------------------------- */

enum { MAX_ARGUMENTS = PACK_MAX_PARAMS };

/* What a parameter was given. */
struct argument {
    const struct pack_param *param;
    ir_value value;                  /* behind conversions and boxes; 0: left out */
    struct span span;                /* where it stands; line 0: nowhere */
    const char *name;                /* what the program calls it, else its text */
    const struct flow_operand *seen; /* all it was seen to be; NULL: not as an operand */
    const struct flow_value *flow;   /* of a tensor or raw memory; NULL: none */
    bool known;                      /* always the same number, */
    double number;                   /* which is this */
};

struct call {
    struct check *check;
    const struct ir_function *function;
    ir_value inst;
    const struct pack_function *callee;
    enum op_family family;
    const struct flow_value *result; /* NULL: no tensor, or not reached */
    int count;
    struct argument arguments[MAX_ARGUMENTS]; /* by parameter */
};

/* Behind conversions, and behind calls that only wrap their argument. */
ir_value value_within(const struct check *c, const struct ir_function *f, ir_value v);
/* What the program calls a value, else its text, else what is said. */
const char *name_in_program(struct check *c, const struct ir_function *f, ir_value v,
                            const struct span *span, const char *otherwise);
/* False: the instruction does not call a packed function, or was not reached. */
bool call_view(struct check *c, const struct ir_function *f, ir_value inst, struct call *out);
struct span call_span(const struct call *c);
/* The argument for the parameter with the role; NULL: the function has none. */
const struct argument *call_argument(const struct call *c, enum param_role role);
/* What stands at place k of the array that the parameter was given; as an argument of its own. */
struct argument call_member(const struct call *c, const struct argument *array, int k);
/* Whether every run that gets there fails there, so that nothing comes of it. */
bool call_fails(const struct call *c);
/* The tensor that is changed in place; NULL: none is. */
const struct argument *call_written(const struct call *c);
/* Where the result is put; 0: nowhere, or in several places. */
ir_value call_place(struct check *c, const struct call *call);
/* Asks something of a tensor, or is about how long it lives: nobody has anything of its numbers. */
bool is_only_asked(const struct pack_function *f);
/* The call that made the tensor; false: none, or one of several. x may be NULL. */
bool argument_maker(struct check *c, const struct argument *x, struct call *out);
/* Whether the value was not made by the function: a parameter, or what one or a global leads to. */
bool is_from_outside(const struct ir_function *f, ir_value v);
/* Whether somebody else has the tensor that the value is: the caller, a record, a variable that is
 * read elsewhere. called: how the function was entered; NULL: not known. */
bool is_had_by_others(struct check *c, const struct ir_function *f, ir_value v,
                      const struct frame_place *called);
/* Whether what is written there is a constant. */
bool is_literal(const struct call *c, const struct argument *a);
/* Makes a tensor out of none. */
bool call_is_factory(const struct call *c);
/* Gives its operand in another dtype or on another device, or the very operand. */
bool call_is_cast(const struct call *c);

/* The number that an argument is, or that the tensor is filled with. False: not known. */
bool argument_number(const struct call *c, const struct argument *a, double *number);
/* How the results of a call are related to its operands: bits 1 << enum alias_kind. */
unsigned alias_kinds(const struct flow_value *v);
/* What an argument is: dtypes and devices; none, if it is no tensor that was seen. */
uint16_t argument_dtypes(const struct argument *a);
uint8_t argument_devices(const struct argument *a);
bool argument_is_tensor(const struct argument *a);

#define DTYPE_SET(d) ((uint16_t)(1u << (d)))
enum {
    SET_BOOL = 1u << DTYPE_BOOL,
    SET_INTS =
        1u << DTYPE_U8 | 1u << DTYPE_I8 | 1u << DTYPE_I16 | 1u << DTYPE_I32 | 1u << DTYPE_I64,
    SET_HALVES = 1u << DTYPE_F16 | 1u << DTYPE_BF16,
    SET_F8 = 1u << DTYPE_F8_E4M3 | 1u << DTYPE_F8_E5M2,
    SET_NARROW = SET_HALVES | 1u << DTYPE_F32,
    SET_FLOATS = SET_NARROW | 1u << DTYPE_F64
};
/* Whether it is known to be in the set: it can be nothing else. */
bool dtypes_are(uint16_t dtypes, unsigned set);
bool is_one(unsigned set);                /* one member exactly */
enum dtype dtype_of_set(uint16_t dtypes); /* the first member */

/* The largest finite number of a floating dtype; the smallest that is not zero. */
double dtype_max(enum dtype d);
double dtype_least(enum dtype d);
int dtype_bits(enum dtype d);
/* Of the halves: up to where every whole number is exact. */
double whole_up_to(uint16_t dtypes);

/* whole_numbers.c: the call that counts, behind casts; false: none. */
bool counting_call(struct check *c, const struct flow_value *v, struct call *out);
/* How far from zero its numbers can be; infinite: not known. */
double counted_up_to(const struct call *counting);
/* The same of the sum of so many elements of a tensor of integers or truths; -1: not known. */
double whole_sum_up_to(struct check *c, const struct argument *whole, int64_t elements);

/* ---- code ---------------------------------------------------------------------------------- */

typedef LIST(ir_value) value_list;
typedef LIST(int) block_list;

struct code_view {
    const struct ir_function *function;
    int *block;            /* of each instruction; -1: none */
    int *position;         /* of each instruction in its block */
    int *loop;             /* of each block: the number of the outermost loop it is in; 0: none */
    value_list *users;     /* of each value */
    value_list *addresses; /* of each local: the instructions that give its address */
    value_list *stores;    /* of each local: what is put into it, by block and position */
    block_list *predecessors; /* of each block */
    struct map *reaching;     /* by local and block (reaching_stores.c) */
};

const struct code_view *code_view(struct check *c, const struct ir_function *f);
/* The instructions that use the address of a local: loads, stores and the rest. */
void local_users(struct check *c, const struct ir_function *f, int64_t local,
                 void (*visit)(const struct ir_function *f, ir_value user, ir_value address,
                               void *context),
                 void *context);
/* The last store to the local in the block of the instruction and before it: no other gets there.
 * 0: there is none. */
ir_value store_before(const struct code_view *v, int64_t local, ir_value inst);
/* reaching_stores.c: the stores to the local that may still hold at a read which has no store
 * before it in its block, in their order; of many, the first. */
const value_list *stores_reaching(struct check *c, const struct ir_function *f, int64_t local,
                                  ir_value read);
bool is_in_loop(const struct code_view *v, ir_value inst);
/* Whether the two are in one loop, whatever else is around it. */
bool is_in_one_loop(const struct code_view *v, ir_value a, ir_value b);

/* Whether control can get from behind one instruction to another (0: out of the function) without
 * passing one that stops it. */
bool code_leads(struct check *c, const struct ir_function *f, ir_value from, ir_value to,
                bool (*stops)(struct check *c, const struct ir_inst *i, const void *context),
                const void *context);

/* Calls that can run inside the autocast region which the call begins, also in functions that are
 * called there. Nothing, if it begins none, or one that is off. */
void region_calls(struct check *c, const struct call *region,
                  void (*visit)(struct check *c, const struct call *region,
                                const struct call *inside));
/* Whether control can get from the one call to the other, of the same function. */
bool comes_behind(struct check *c, const struct call *first, const struct call *then);

/* ---- failures ------------------------------------------------------------------------------ */

enum { MAX_FAILING = 8, MAX_COMBINED = PACK_MAX_PARAMS + MAX_FAILING };

/* An operand of a call that fails, as it is when it does. */
struct failing_operand {
    const struct pack_param *param;
    int index; /* of the parameter */
    int at;    /* in the combination */
    const char *name;
    ir_value value; /* 0: not in the call itself */
    struct span span;
    struct fact fact;
    uint16_t dtypes;   /* on all paths, also on those that work */
    struct operand is; /* in a combination that fails */
    const struct step *how;
    bool blamed;  /* the reason speaks of it, */
    bool unnamed; /* or ought to */
};

struct failing {
    struct check *check;
    const struct flow_failure *failure;
    enum op_family family;
    int count;
    struct failing_operand operands[MAX_FAILING];
    struct operand combination[MAX_COMBINED]; /* that fails: by parameter, then further members */
    int combination_count;
    bool impossible; /* nothing that the operands can be fails so: a tensor differs from itself */
    const char *message;
};

void failing_view(struct check *c, const struct flow_failure *r, struct failing *out);
/* The call that always fails and that this one's operands were computed from; NULL: none. */
const struct flow_failure *failure_behind(struct check *c, const struct flow_failure *r);
void failures_index(struct check *c);
/* Whatever the operands are of all they can be, it fails in this way. */
bool failing_surely(const struct failing *f);
/* Of those blamed, some differ in dtype. */
bool failing_is_mixed(const struct failing *f);
/* The operand with the role, if it is blamed; NULL: it is not. */
const struct failing_operand *failing_blamed(const struct failing *f, enum param_role role);
int failing_blamed_count(const struct failing *f);
/* Whether it is about raw memory; whether it copies that, and is told which way. */
bool failing_has_buffer(const struct failing *f);
bool failing_is_copy(const struct failing *f);
/* Of those blamed, some are on different devices, and that is all. */
bool failing_is_device(const struct failing *f);

/* How tensors came to be on different devices. */
enum device_pattern {
    PATTERN_NONE,       /* it is not about devices */
    PATTERN_STALE,      /* one was moved, which made another; the old one is used */
    PATTERN_FIELD,      /* one is a field of a record, others of which are moved */
    PATTERN_FACTORY,    /* one was made on the CPU, where no device was named */
    PATTERN_HARD_CODED, /* one was put on a device by its name, the other is where it was given */
    PATTERN_OTHER
};
enum device_pattern failing_pattern(const struct failing *f);
/* The call that moved the operand elsewhere, if one did. */
bool failing_move(const struct failing *f, const struct failing_operand *o, struct call *move);
/* The blamed operand on the device; NULL: none. */
const struct failing_operand *failing_on(const struct failing *f, enum device d);
/* Two blamed operands are on different cuda devices. */
bool failing_on_two(const struct failing *f, const struct failing_operand **a,
                    const struct failing_operand **b);
/* Of them the one that was put there by its name, and the one that was given; false: of neither
 * that is so. */
bool failing_named(const struct failing *f, const struct failing_operand **named,
                   const struct failing_operand **given);

/* ---- lineage ------------------------------------------------------------------------------- */

enum aspect {
    ASPECT_DTYPE,
    ASPECT_DEVICE, /* sets are those of fact_places */
    ASPECT_GPU     /* the same, where the first of the cuda devices is not the only one */
};

/* The step that decided the aspect: before it, no operand was what came out. */
const struct step *step_deciding(struct check *c, const struct step *how, enum aspect aspect,
                                 unsigned set);
/* The call that a step is; false: it is none. */
bool step_call(struct check *c, const struct step *s, struct call *out);
/* The function that was called there; NULL: none. */
const struct pack_function *step_callee(const struct check *c, const struct step *s);
/* Casts and moves whose operand the step made. */
typedef LIST(const struct flow_call *) move_list;
const move_list *moves_of(struct check *c, const struct step *how);
/* Calls that were seen to take what the call made as the operand: of an operand that several calls
 * made, those that are known. */
struct use {
    const struct flow_call *by;
    int operand;
};
typedef LIST(struct use) use_list;
const use_list *uses_of(struct check *c, const struct ir_function *f, ir_value inst);
/* "h became f16", with where and when; "h stays f16", where it was passed on last. */
void origin_add(struct check *c, struct finding *f, const char *name, const struct step *how,
                enum aspect aspect, unsigned set);
/* How it came to be f16 or bf16, or to be that in some runs; NULL: it never is. */
const struct step *half_way(const struct flow_value *v);
/* The calls on the way from where it became that: a cast could stand before each of them. */
void origin_add_way(struct check *c, struct finding *f, const struct step *how);
/* "f() is called", by which of the calls operands were handed in, unless that is told. */
void origin_add_call(struct check *c, struct finding *f, const struct frame_place *called);

/* ---- findings ------------------------------------------------------------------------------ */

/* A finding of the rule that is asked now; never NULL. */
struct finding *say(struct check *c, enum severity severity, const struct ir_function *f,
                    struct span span, const char *fmt, ...) PRINTF_LIKE(5, 6);
/* Whether the rule has said something about this instruction before; from now on it has. */
bool was_said(struct check *c, const struct ir_function *f, ir_value inst);
void say_mark(struct check *c, struct finding *f, struct span span);
/* A place beside the lineage of operands: "saved by exp". */
void say_place(struct check *c, struct finding *f, const char *what, const struct span *span);
/* "f16|f32" */
const char *say_dtypes(struct check *c, uint16_t dtypes);
/* What stands there, cut to so many columns. Lineage has it whole, up to what nobody would read:
 * only a terminal is too narrow for more. */
enum { SOURCE_MOST = 4096 };
const char *say_text(struct check *c, const struct span *span, int columns);

/* ---- fixes --------------------------------------------------------------------------------- */

/* A call that is to be edited. */
struct written_call {
    const struct ir_function *function;
    ir_value inst;
    const struct pack_function *callee;
};

/* Wraps an operand of the call into a cast of the API that the function belongs to; to: as it is
 * written, from write_dtype. False: it cannot be done there, and nothing was added. */
bool fix_cast(struct check *c, struct finding *f, const struct written_call *at,
              struct span operand, const char *to);
bool fix_move(struct check *c, struct finding *f, const struct written_call *at,
              struct span operand, const char *to);
/* A dtype; the dtype or the device of a tensor. NULL: the pack does not say how they are written.
 */
const char *write_dtype(const struct pack_function *api, enum dtype d);
const char *write_dtype_of(struct check *c, const struct written_call *at, const char *tensor);
const char *write_device_of(struct check *c, const struct written_call *at, const char *tensor);
/* The function of the API with these effects, as it is written, else what is said. */
const char *write_doing(struct check *c, const struct pack_function *api, unsigned effects,
                        const char *otherwise);
enum { SCALED_STEP = EFFECT_STEPS | EFFECT_UNSCALES }; /* an optimizer's step, by a scaler */
/* Whether the operand stands among the arguments of the call as they are written. */
bool is_argument_of(struct check *c, const struct written_call *at, struct span operand);
/* Whether the call is a statement of its own. */
bool is_statement(struct check *c, struct span call);
/* Casts operands so that all have the dtype of one of them, if the call then works. */
void mend_one_dtype(struct check *c, const struct failing *f, struct finding *out);
/* Casts the operand to the dtype, if the call then works. */
void mend_to_dtype(struct check *c, const struct failing *f, struct finding *out,
                   const struct failing_operand *o, enum dtype d);
/* Moves the operand to where the other is, if the call then works. */
void mend_device(struct check *c, const struct failing *f, struct finding *out,
                 const struct failing_operand *o, const struct failing_operand *to);
void fix_edit(struct check *c, struct finding *f, struct span span, const char *text);

/* ---- rules --------------------------------------------------------------------------------- */

struct rule_code {
    /* Failures: whether one is its matter; what to add to the finding made of it. */
    bool (*claims)(const struct failing *f);
    void (*refine)(struct check *c, const struct failing *f, struct finding *out);
    bool general;             /* claims what no other rule does */
    enum error_kind fallback; /* all of this kind that nobody claims */
    /* Facts. */
    void (*call)(struct check *c, const struct call *call); /* each that was reached */
    void (*program)(struct check *c);
};

#define RULE(id, code, name, group, fix, on, summary) extern const struct rule_code rule_##id;
#include "rules/rules.def"
#undef RULE

#endif

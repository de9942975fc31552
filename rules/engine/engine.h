/* rules/engine: what rules are written with. A rule is run on failures (calls that can fail), on
 * calls that were reached, or on the program, and reports findings.
 *
 *   rule_names.c       the words that select rules
 *   check.c            runs every rule
 *   call.c             a call of a function in a pack: what each parameter was given
 *   maker.c            the calls that made its operands
 *   by_case.c          the same in one of its cases: one caller, one way through its options
 *   scaled.c           numbers that were scaled by their own largest
 *   whole_numbers.c    calls that produce positions and indices, and how large these get
 *   filled_memory.c    the integers that a loop stores in memory
 *   kept_place.c       places: what they are part of, and whether they keep a tensor
 *   replaced_operand.c results that take the place of their operand
 *   repeats.c          how often something is added to the same tensor
 *   control_flow.c     loops, uses and paths within a function
 *   reaching_stores.c  reaching definitions: the stores that may still hold at a read
 *   autocast_region.c  what can run inside an autocast region
 *   failure.c          a failure, with one combination of operands that fails
 *   root_cause.c       failures that only follow from others
 *   lineage.c          where the dtype or device of an operand was decided
 *   scaler_origin.c    where a gradient scaler was made, and when it scales
 *   number_read.c      the calls that read a number from a tensor
 *   conversions.c      the casts and moves applied to a tensor
 *   consumers.c        the calls that use the result of a call
 *   new_finding.c      findings
 *   odd_operand.c      which operand of a failing call differs from what is meant
 *   fix_text.c         the text that fixes replace
 *   fix_names.c        names of libraries, as the edited file writes them
 *   fix_dynamic.c      edits of calls in a dynamic language
 *   fix.c              edits: casts and moves as the API writes them
 *   fix_edit.c         edits of calls and statements as they are written
 *   fix_call.c         fixes of findings about one call
 *   fix_origin.c       fixes where the dtype or device of a tensor was decided
 *   fix_decision.c     what was written where a dtype or device was decided
 *   fix_sibling.c      fixes of a field that was forgotten where others are cast or moved
 *   fix_registered.c   members of an object that should be registered
 *   fix_library.c      failures in code of a library: which argument, which layer
 *   fix_failure.c      fixes of failures: casts after which the call works
 *   fix_device.c       the same for devices
 *   device_origin.c    how tensors came to be on different devices */
#ifndef RULES_ENGINE_H
#define RULES_ENGINE_H

#include "rules/rules.h"

static inline const struct ir_inst *inst_at(const struct ir_function *f, ir_value v)
{
    return &f->insts.items[v];
}

struct check {
    const struct check_input *in;
    const bool *selected;
    finding_list *out;
    const struct rule *rule; /* the rule that runs */
    /* It runs on a call of this function in this case, as are the calls that made its operands;
     * NULL: in all cases. */
    const struct flow_case *by_case;
    const struct ir_function *in_function;
    struct map *codes;       /* of functions, by address */
    struct map *failed;      /* calls that always fail (root_cause.c) */
    struct map *reported;    /* by rule and instruction */
    struct map *conversions; /* by step (conversions.c); NULL: not built */
    struct map *consumers;   /* by call (consumers.c); NULL: not built */
};

/* check.c: whether the function is to be checked; what follows is about it. */
bool is_selected(const struct check *c, const struct ir_function *f);

/* ---- calls --------------------------------------------------------------------------------- */

enum { MAX_ARGUMENTS = PACK_MAX_PARAMS };

/* The argument for a parameter. */
struct argument {
    const struct pack_param *param;
    ir_value value;                  /* behind conversions and boxes; 0: left out */
    struct span span;                /* in the source; line 0: nowhere */
    const char *name;                /* its name in the program, else its text */
    const struct flow_operand *seen; /* everything it was seen to be; NULL: it is no operand */
    const struct flow_value *flow;   /* of a tensor or raw memory; NULL: none */
    bool known;                      /* it is always the same number, */
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

/* The value behind conversions and calls that only box their argument. */
ir_value value_within(const struct check *c, const struct ir_function *f, ir_value v);
/* The name of a value in the program, else its text, else the one given. */
const char *name_in_program(struct check *c, const struct ir_function *f, ir_value v,
                            const struct span *span, const char *otherwise);
/* False: the instruction does not call a function in a pack, or was not reached. */
bool call_view(struct check *c, const struct ir_function *f, ir_value inst, struct call *out);
/* The number that it is always seen to be, if there is one. */
void argument_take_number(struct argument *a);
struct span call_span(const struct call *c);
/* The argument for the parameter with the role; NULL: the function has none. */
const struct argument *call_argument(const struct call *c, enum param_role role);
/* Element k of the array that was passed for the parameter, as an argument of its own. */
struct argument call_member(const struct call *c, const struct argument *array, int k);
/* Whether every run that reaches the call fails there, so that it has no result. */
bool call_fails(const struct call *c);
/* Whether no run gets to the call: one before it in its block always fails, and takes one of its
 * tensors, so that what is wrong with this call is likely the same. */
bool comes_after_failure(const struct call *c);
/* The tensor that is changed in place; NULL: none is. */
const struct argument *call_written(const struct call *c);
/* The address where the result is stored, or the instruction that sets a variable or member to it;
 * 0: nowhere, or in several places. */
ir_value call_place(struct check *c, const struct call *call);
/* Queries a tensor or manages its lifetime: its elements are not used. */
bool is_query(const struct pack_function *f);
/* The call that made the tensor; false: none, or one of several. x may be NULL. */
bool argument_maker(struct check *c, const struct argument *x, struct call *out);
/* Goes back over the calls that made the elements of x, each from the left or only operand of the
 * one after it, until visit decides; at: the result of the call. False: it said no, or the way
 * ended. */
enum back { BACK_NO, BACK_YES, BACK_GO_ON };
bool trace_back(struct check *c, const struct argument *x,
                enum back (*visit)(const struct argument *at, const struct call *made,
                                   void *context),
                void *context);
/* Whether the operand of another call is, on the first path, what the call returned. */
bool operand_is_result(const struct flow_operand *o, const struct call *of);
/* Whether the value comes from outside the function: from a parameter or a global. */
bool is_from_outside(const struct ir_function *f, ir_value v);
/* Whether the tensor is also reachable from elsewhere: the caller, a record, another variable.
 * called: how the function was entered; NULL: not known. */
bool is_shared(struct check *c, const struct ir_function *f, ir_value v,
               const struct frame_place *called);
/* In a dynamic language: whether the tensor, or what it is a part of, outlives what is done at an
 * instruction: an attribute or a global has it, or a variable that is read afterwards. */
bool is_kept_elsewhere(struct check *c, const struct ir_function *f, ir_value v, ir_value at,
                       const struct frame_place *called);
/* For path_exists: whether the instruction sets the variable. context: a struct variable. */
struct variable {
    const struct ir_function *function;
    int64_t local;
};
bool sets_variable(struct check *c, const struct ir_inst *i, const void *context);
/* Whether the variable is read after the instruction, and was not set in between. */
bool is_read_after(struct check *c, const struct ir_function *f, int64_t variable, ir_value at);
/* The one value that a variable holds where it is read; 0: there are several, or it is not known.
 */
ir_value value_held(struct check *c, const struct ir_function *f, int64_t variable, ir_value read);
/* What the caller passed for a parameter, and the call; 0: not known. */
ir_value value_passed(const struct ir_function *f, const struct frame_place *called, int param,
                      ir_value *call);
/* Whether the result takes the place of the argument, over and over; whether that of a sum does: it
 * is kept in its dtype on purpose. */
bool takes_its_place(struct check *c, const struct call *call, const struct argument *a);
bool is_accumulator(struct check *c, const struct call *call, const struct argument *a);
/* Whether the argument is a constant in the source. */
bool is_literal(const struct call *c, const struct argument *a);
/* Makes a tensor without taking one. */
bool call_is_factory(const struct call *c);
/* Returns elements of its operand in other places: a view of it, or a copy where that is not
 * possible. */
bool call_is_view(const struct call *c);
bool alias_is_view(const struct pack_function *f);
/* Returns its operand in another dtype or on another device, or the operand itself. */
bool call_is_cast(const struct call *c);

/* The number that an argument is, or that the tensor is filled with. False: not known. */
bool argument_number(const struct call *c, const struct argument *a, double *number);
/* The same, or the only one that is known of those that it can be: that of an option which is not
 * given. */
bool argument_number_in_some_run(const struct call *c, const struct argument *a, double *number);
/* How the results of a call are related to its operands: bits 1 << enum alias_kind. */
unsigned alias_kinds(const struct flow_value *v);
/* The dtypes and devices of an argument; none if it is no tensor. */
dtype_set argument_dtypes(const struct argument *a);
uint8_t argument_devices(const struct argument *a);
bool argument_is_tensor(const struct argument *a);

#define DTYPE_SET(d) DTYPE_BIT(d)
enum {
    SET_BOOL = DTYPE_BIT(DTYPE_BOOL),
    SET_INTS = DTYPE_BIT(DTYPE_U8) | DTYPE_BIT(DTYPE_I8) | DTYPE_BIT(DTYPE_I16) |
               DTYPE_BIT(DTYPE_I32) | DTYPE_BIT(DTYPE_I64),
    SET_HALVES = DTYPE_BIT(DTYPE_F16) | DTYPE_BIT(DTYPE_BF16),
    SET_F8 = DTYPE_BIT(DTYPE_F8_E4M3) | DTYPE_BIT(DTYPE_F8_E5M2),
    SET_NARROW = SET_HALVES | DTYPE_BIT(DTYPE_F32),
    SET_FLOATS = SET_NARROW | DTYPE_BIT(DTYPE_F64)
};
/* Whether all of them are in the set, and there is one. */
bool dtypes_are(dtype_set dtypes, uint64_t set);
bool is_one(uint64_t set);                 /* one member exactly */
enum dtype dtype_of_set(dtype_set dtypes); /* the first member */

/* The largest finite number of a floating dtype; the smallest that is not zero. */
double dtype_max(enum dtype d);
double dtype_least(enum dtype d);
int dtype_bits(enum dtype d);
/* The number up to which every integer is exact in f16, or in bf16 if that is one of them. */
double exact_up_to(dtype_set dtypes);

/* whole_numbers.c: the call that made the positions, behind casts; false: none. */
bool positions_call(struct check *c, const struct flow_value *v, struct call *out);
/* The largest absolute value of its numbers; infinite: not known. */
double largest_position(const struct call *counting);
/* The largest absolute value of the sum of so many elements of an integer or bool tensor; elements
 * -1: not known. */
double largest_sum(struct check *c, const struct argument *whole, int64_t elements);

/* The largest sum of whole numbers that a call can add to one element, by indices, in all of its
 * rounds; 0: not known. */
double largest_added(const struct call *call);
/* How many elements become one; 0: not known. */
int64_t elements_summed(const struct call *call);

/* filled_memory.c: what a loop stores in the memory that a tensor is of: all are at least the lower
 * bound, and some at least the upper one. False: it is not known. */
bool filled_range(struct check *c, const struct argument *x, struct value_range *out);
/* An integer of a table in the source that is put into the floats of the tensor that the call
 * makes, and that the dtype does not have; 0: none. */
double filled_inexactly(struct check *c, const struct call *made, enum dtype d);

/* scaled.c: the operand of what rounded it, else itself. */
struct argument before_rounding(struct check *c, const struct argument *x);
/* The largest number of a tensor that was scaled so that it is known; 0: it is not. */
double scale_of_ones(struct check *c, const struct argument *scaled);

/* repeats.c: the one place, besides the call itself, where the tensor that it adds to was made;
 * NULL: there are several. */
const struct step *sum_beginning(const struct call *call, const struct argument *sum);
/* How often the call is run for each time that what was made there begins anew; 0: not known, or
 * something else is done to it, too. */
double times_added(struct check *c, const struct call *call, const struct step *made);
/* Whether the change is a part of the way from the state to something else, by a divisor that is
 * not the same in every round: a mean that is kept up to date. */
bool is_part_of_way(struct check *c, const struct argument *change, const struct argument *state);
/* How often the function is run, by its calls outside of all loops. */
double times_run(struct check *c, const struct ir_function *f);
/* How often the field at that address is made NULL, if that is in no loop of its function; 0: it
 * may be more often. */
double times_emptied(struct check *c, const struct ir_function *f, ir_value address);

/* kept_place.c: what the address begins with, before its elements and fields. */
ir_value place_base(const struct ir_function *f, ir_value place);
/* The name of the record whose field is at that address; NULL: it is of none with a name. */
const char *record_of_field(const struct ir_function *f, ir_value place);
/* Of any record of that type. */
bool is_same_field(const struct ir_function *f, ir_value a, const struct ir_function *g,
                   ir_value b);
/* Whether the place exists after the function has returned. */
bool place_outlives(const struct ir_function *f, ir_value place);
/* The name of the place that the value was read from; NULL: it was not read. */
const char *place_read(struct check *c, const struct ir_function *f, ir_value v);
/* Whether the value was read from the place, or was computed from that by at most so many calls. */
bool comes_from_place(struct check *c, const struct ir_function *f, ir_value v, const char *place,
                      int depth);

/* replaced_operand.c: whether the result is put where its operand was read from, and nobody else
 * has the operand. */
bool replaces_operand(struct check *c, const struct call *call, const struct argument *a);

/* by_case.c: the call in one of its cases; in those that made the step, of one that is viewed. */
void call_view_case(struct check *c, const struct flow_call *seen, const struct flow_case *in,
                    struct call *out);
void call_narrow_to_step(struct check *c, const struct step *s, struct call *out);
/* Whether the operands before the step are certain. */
bool step_is_sure(struct check *c, const struct step *s);

/* number_read.c: whether the function reads elements of its operand as numbers of the language;
 * whether an instruction of a dynamic language computes a number of others. */
bool reads_numbers(const struct pack_function *f);
bool is_number_arithmetic(const struct ir_inst *i);
/* One call that is wanted among those of packs that the number, of a dynamic language, was computed
 * from; NULL: none. */
const struct flow_call *number_read(struct check *c, const struct ir_function *f, ir_value v,
                                    bool (*is_wanted)(struct check *c, const struct flow_call *read,
                                                      const void *context),
                                    const void *context);

/* ---- code ---------------------------------------------------------------------------------- */

typedef LIST(ir_value) value_list;
typedef LIST(int) block_list;

struct code_view {
    const struct ir_function *function;
    int *block;        /* of each instruction; -1: none */
    int *position;     /* of each instruction in its block */
    int *loop;         /* of each block: the number of the outermost loop it is in; 0: none */
    value_list *users; /* of each value */
    /* Variables are the locals; in the body of a unit of a dynamic language, also the names that it
     * binds, behind them. */
    int variable_count;
    const char **bound;       /* the names */
    value_list *addresses;    /* of each: the instructions that take its address */
    value_list *reads;        /* of each: the instructions that read it, in a dynamic language */
    value_list *stores;       /* of each: the stores to it, by block and position */
    block_list *predecessors; /* of each block */
    struct map *reaching;     /* by local and block (reaching_stores.c) */
    struct map *ways;         /* by local, once asked for (inplace_on_alias.c) */
};

const struct code_view *code_view(struct check *c, const struct ir_function *f);
/* The variable that the value was read from, and that the instruction sets; -1: none. */
int64_t variable_read(struct check *c, const struct ir_function *f, ir_value v);
int64_t variable_set(struct check *c, const struct ir_function *f, ir_value inst);
/* Whether it is an instruction of a dynamic language. */
bool is_dynamic(const struct ir_inst *i);
/* Whether it is written as a part of its operand, x[0] or x.T: nobody takes that for a change. */
bool reads_part(const struct ir_inst *i);
/* Visits the instructions that use a variable: they read it, set it, or do something else with its
 * address. */
enum variable_use { VARIABLE_READ, VARIABLE_SET, VARIABLE_OTHER };
void variable_users(struct check *c, const struct ir_function *f, int64_t variable,
                    void (*visit)(const struct ir_function *f, ir_value user, enum variable_use how,
                                  void *context),
                    void *context);
/* The last store to the variable before the instruction in its block, which hides all others; 0:
 * none.
 */
ir_value store_before(const struct code_view *v, int64_t local, ir_value inst);
/* reaching_stores.c: the stores to the variable that may still hold at a read which has no store
 * before it in its block, in their order; of many, the first. */
const value_list *stores_reaching(struct check *c, const struct ir_function *f, int64_t local,
                                  ir_value read);
/* Whether a store to the local may come before the instruction. */
bool is_set_before(const struct code_view *v, int64_t local, ir_value inst);
bool is_in_loop(const struct code_view *v, ir_value inst);
/* Whether both are in the same outermost loop. */
bool is_in_one_loop(const struct code_view *v, ir_value a, ir_value b);

/* Whether there is a path from after one instruction to another (0: to a return) that avoids all
 * instructions for which stops is true. */
bool path_exists(struct check *c, const struct ir_function *f, ir_value from, ir_value to,
                 bool (*stops)(struct check *c, const struct ir_inst *i, const void *context),
                 const void *context);

/* Which instructions such paths lead to: one walk, where many are asked about. In the arena. */
const bool *paths_from(struct check *c, struct arena *a, const struct ir_function *f, ir_value from,
                       bool (*stops)(struct check *c, const struct ir_inst *i, const void *context),
                       const void *context);

/* Whether the call can run where gradients are recorded. */
bool is_recorded(const struct call *call);
/* Whether the call can run inside an autocast region. */
bool is_in_autocast(const struct call *call);
/* What every region that may be on is enabled by: "args.amp". NULL: one is always on, or they
 * differ. (autocast_region.c) */
const char *region_condition(struct check *c);
/* Visits the calls that can run inside the autocast region that the call begins, including those in
 * functions called there. None if it begins no region, or a disabled one. */
void region_calls(struct check *c, const struct call *region,
                  void (*visit)(struct check *c, const struct call *region,
                                const struct call *inside));
/* Where regions are objects, which call begins one is not known: whether this call is in one in
 * every run that gets to it. False in other languages. */
bool is_inside_region(const struct call *call);
/* Whether there is a path from one call to another in the same function. */
bool comes_after(struct check *c, const struct call *first, const struct call *then);

/* ---- failures ------------------------------------------------------------------------------ */

enum { MAX_FAILING = 8, MAX_COMBINED = PACK_MAX_PARAMS + MAX_FAILING };

/* An operand of a failing call. */
struct failing_operand {
    const struct pack_param *param;
    int index; /* of the parameter */
    int at;    /* in the combination */
    const char *name;
    ir_value value; /* 0: not in the call itself */
    struct span span;
    struct fact fact;
    dtype_set dtypes;  /* on all paths, also on those that work */
    struct operand is; /* in a combination that fails */
    const struct step *how;
    bool blamed;  /* the message mentions it, */
    bool unnamed; /* or should */
};

struct failing {
    struct check *check;
    const struct flow_failure *failure;
    enum op_family family;
    int count;
    struct failing_operand operands[MAX_FAILING];
    struct operand
        combination[MAX_COMBINED]; /* one that fails: by parameter, then further elements */
    int combination_count;
    bool impossible; /* no combination fails: a tensor would have to differ from itself */
    const char *message;
};

void failing_view(struct check *c, const struct flow_failure *r, struct failing *out);
/* root_cause.c: the failing call that the operands of this one were computed from; NULL: none. */
const struct flow_failure *root_cause_of(struct check *c, const struct flow_failure *r);
void failures_index(struct check *c);
/* Whether it fails in this way whatever the operands are. */
bool failing_always(const struct failing *f);
/* Whether it works with these in place of the combination that fails; if the operand has this
 * dtype.
 */
bool failing_works(const struct failing *f, const struct operand *operands);
bool failing_works_with(const struct failing *f, const struct failing_operand *o, enum dtype d);
/* Whether the blamed operands have different dtypes. */
bool failing_is_mixed(const struct failing *f);
/* The operand with the role, if it is blamed; NULL: it is not. */
const struct failing_operand *failing_blamed(const struct failing *f, enum param_role role);
int failing_blamed_count(const struct failing *f);
/* Whether it is about raw memory; whether it is a copy with a direction. */
bool failing_has_buffer(const struct failing *f);
bool failing_is_copy(const struct failing *f);
/* Whether a distance in the tensor counts bytes of elements that are not as wide as its own. */
bool failing_counts_others(const struct failing *f);
/* Whether the only problem is that blamed operands are on different devices. */
bool failing_is_device(const struct failing *f);
/* Whether the host reads the elements of a tensor on a GPU, through a pointer or a view. */
bool failing_is_host_read(const struct failing *f);

/* How tensors came to be on different devices. */
enum device_pattern {
    PATTERN_NONE,       /* it is not about devices */
    PATTERN_STALE,      /* one was moved, which made a new tensor; the old one is used */
    PATTERN_FIELD,      /* one is a field of a record whose other fields were moved */
    PATTERN_FACTORY,    /* one was made without a device, so on the CPU */
    PATTERN_HARD_CODED, /* one was put on a hard-coded device, the other was passed in */
    PATTERN_OTHER
};
enum device_pattern failing_pattern(const struct failing *f);
/* The call that moved the operand to another device; false: none. */
bool failing_move(const struct failing *f, const struct failing_operand *o, struct call *move);
/* The blamed operand on the device; NULL: none. */
const struct failing_operand *failing_on(const struct failing *f, enum device d);
/* Two blamed operands on different cuda devices; false: there are none. */
bool failing_on_two(const struct failing *f, const struct failing_operand **a,
                    const struct failing_operand **b);
/* The operand on a hard-coded device and the one that was passed in; false: there are none. */
bool failing_named(const struct failing *f, const struct failing_operand **named,
                   const struct failing_operand **given);

/* ---- lineage ------------------------------------------------------------------------------- */

enum aspect {
    ASPECT_DTYPE,
    ASPECT_DEVICE, /* sets are those of fact_places */
    ASPECT_GPU     /* the same, where cuda devices have to be distinguished */
};

/* The step that decided the dtype or device: none of its operands had it. */
const struct step *deciding_step(struct check *c, const struct step *how, enum aspect aspect,
                                 uint64_t set);
/* The call that decided the dtype; false: none, or it is not certain in this case. */
bool deciding_call(struct check *c, const struct argument *a, struct call *out);
/* The call of a step; false: it is none. */
bool step_call(struct check *c, const struct step *s, struct call *out);
/* The function that was called there; NULL: none. */
const struct pack_function *step_callee(const struct check *c, const struct step *s);
/* Casts and moves of what the step made. */
typedef LIST(const struct flow_call *) conversion_list;
const conversion_list *conversions_of(struct check *c, const struct step *how);
/* Calls that take the result of the call as an operand. Of an operand that several calls can have
 * made, those that are tracked. */
struct consumer {
    const struct flow_call *by;
    int operand;
};
typedef LIST(struct consumer) consumer_list;
const consumer_list *consumers_of(struct check *c, const struct ir_function *f, ir_value inst);
/* Whether the elements of the result, or some of them, are cast to one of these dtypes behind at
 * most so many calls that pass them on, also next to elements of others. */
bool is_cast_later(struct check *c, const struct ir_function *f, ir_value inst, dtype_set to,
                   bool next_to_others, int depth);
/* "h became f16", with place and conditions; "h stays f16", where it was passed on last. */
void origin_add(struct check *c, struct finding *f, const char *name, const struct step *how,
                enum aspect aspect, uint64_t set);
/* The step that made it f16 or bf16, in some runs at least; NULL: none. */
const struct step *half_step(const struct flow_value *v);
/* The calls since then: a cast could be inserted before each of them. */
void origin_add_path(struct check *c, struct finding *f, const struct step *how);
/* "reached", with the conditions on the way there, if there are any. */
/* Of an operand that is elsewhere in other runs, with no branch to decide that: adds to its origin
 * what the method was given that moved it, if a model file has that, model.to(args.device). */
void origin_add_argument(struct check *c, struct finding *f, int origin, const struct step *how,
                         enum aspect aspect, uint64_t set);
void origin_add_condition(struct check *c, struct finding *f, const struct span *at,
                          const struct condition *when);
/* "f() is called": the call that passed the operands in, unless it is listed already. */
void origin_add_call(struct check *c, struct finding *f, const struct frame_place *called);

/* ---- findings ------------------------------------------------------------------------------ */

/* A finding of the rule that runs; never NULL. */
struct finding *finding_new(struct check *c, enum severity severity, const struct ir_function *f,
                            struct span span, const char *fmt, ...) PRINTF_LIKE(5, 6);
/* Whether the rule has reported a finding about this instruction before; marks it as done. */
bool was_reported(struct check *c, const struct ir_function *f, ir_value inst);
void finding_mark(struct check *c, struct finding *f, struct span span);
/* A place in addition to the lineage of operands: "saved by exp". */
void finding_place(struct check *c, struct finding *f, const char *what, const struct span *span);
/* by_case.c: whether an operand that is a number, a dtype or a device can be several without a
 * branch or a caller that decides which. */
bool operand_is_open(const struct flow_call *seen, int operand);
/* scaler_origin.c: where a gradient scaler was made, and when it scales; made NULL: nowhere. */
void finding_scaler(struct check *c, struct finding *f, const struct step *made);
/* "f16|f32" */
const char *dtypes_text(struct check *c, dtype_set dtypes);
/* "f32" */
const char *type_text(struct check *c, const struct type *t);
/* The source text, cut to so many columns. Lineage has all of it up to SOURCE_MAX; only a terminal
 * is too narrow for more. */
enum { SOURCE_MAX = 4096 };
const char *source_excerpt(struct check *c, const struct span *span, int columns);

/* ---- fixes --------------------------------------------------------------------------------- */

/* fix_text.c: the empty span at its beginning, at its end; what is between two. */
struct span span_start(struct span s);
struct span span_end(struct span s);
struct span span_between(struct span a, struct span b);
bool span_contains(const struct span *outer, const struct span *inner);
/* The text of a span; NULL: none. */
const char *text_of(struct check *c, struct span at);
void fix_edit(struct check *c, struct finding *f, struct span span, const char *text);
/* No fix is offered after all. */
void fix_drop(struct finding *f);

/* fix_names.c: "th.float16" for "torch.float16", where a file imports it as that; NULL: it does
 * not. */
const char *name_in_file(struct check *c, const char *file, const char *path);
/* Whether the name is one that the file imports. */
bool is_imported_name(struct check *c, const char *file, const char *name);
/* Names of libraries in the edits become those of the file; without one, there is no fix. */
void fix_spell(struct check *c, struct finding *f);

/* fix_dynamic.c: whether the instruction is written as a call of the function itself, not of code
 * of a library in which that is called; whether it is a method of the argument. */
bool dynamic_is_call(struct check *c, const struct call *call);
bool dynamic_is_method(const struct call *call, const struct argument *x);
/* Whether what it returns can be cast like its operands: an array of another library cannot. */
bool makes_tensor(struct check *c, const struct pack_function *callee);
/* Whether the operand is written in the expression or statement. */
bool dynamic_is_argument(struct check *c, const struct ir_function *f, ir_value inst,
                         const struct span *operand);
/* These are what the functions below do in such a language. */
bool dynamic_wrap(struct check *c, struct finding *f, struct span at, const char *front,
                  const char *back);
bool dynamic_rewrap(struct check *c, struct finding *f, const struct call *call,
                    const struct argument *x, const char *back);
bool dynamic_option(struct check *c, struct finding *f, const struct call *call, int param,
                    const char *text);
/* Adds "name=text" to the arguments of a call. */
bool dynamic_add_keyword(struct check *c, struct finding *f, const struct ir_function *fn,
                         ir_value inst, const char *name, const char *text);
bool dynamic_out_of_place(struct check *c, struct finding *f, const struct call *call);

/* A call in the source that a fix edits. */
struct written_call {
    const struct ir_function *function;
    ir_value inst;
    const struct pack_function *callee;
};

/* Wraps an operand of the call into a cast or move as its pack spells it; to: the dtype or device,
 * as written. False: not possible there; nothing was added. */
bool fix_cast(struct check *c, struct finding *f, const struct written_call *at,
              struct span operand, const char *to);
bool fix_move(struct check *c, struct finding *f, const struct written_call *at,
              struct span operand, const char *to);
/* How a cast to a dtype is written; to: as written. */
const char *write_cast(const struct pack_function *api, const char *to);
/* A dtype, and the dtype or device of a tensor, as the pack spells them. NULL: it does not say. */
const char *write_dtype(const struct pack_function *api, enum dtype d);
const char *write_dtype_of(struct check *c, const struct written_call *at, const char *tensor);
const char *write_device_of(struct check *c, const struct written_call *at, const char *tensor);
/* The function of the API with these effects as programs write it, else the text given. */
const char *write_function_with(struct check *c, const struct pack_function *api, unsigned effects,
                                const char *otherwise);
enum { SCALED_STEP = EFFECT_STEPS | EFFECT_UNSCALES }; /* a step of an optimizer through a scaler */
/* Whether the operand is among the arguments of the call in the source. */
bool is_argument_of(struct check *c, const struct written_call *at, struct span operand);
/* Whether the call is a statement of its own. */
bool is_statement(struct check *c, struct span call);
/* odd_operand.c: the operand that the others should agree with; NULL: none. */
const struct failing_operand *deciding_operand(struct check *c, const struct failing *f);
/* Whether it is computed with: indices, masks and targets keep their dtype. */
bool is_computed_with(const struct failing_operand *o);
/* Whether it is a parameter of a model, as far as that can be seen. */
bool is_model_weight(const struct failing *f, const struct failing_operand *o);
/* Whether the function that fails created it, without a dtype. */
bool is_own_buffer(struct check *c, const struct failing *f, const struct failing_operand *o);
/* fix_registered.c: registers the attribute that the operand is read from; the modules of a list
 * that an attribute is set to, with the name of a list that registers them. */
bool fix_registered(struct check *c, struct finding *f, const struct failing *of,
                    const struct failing_operand *o);
bool fix_module_list(struct check *c, struct finding *f, const struct ir_function *fn, ir_value set,
                     const char *list);
/* fix_library.c: the failure with the arguments of the program's call as its operands, where it is
 * in code of a library. */
void failing_adopt(struct check *c, const struct failing *f, struct failing *out);
/* "self.fc1", if the program calls one layer with one weight; "self.fc1.weight"; NULL: it is not
 * known to. */
const char *failing_layer(struct check *c, const struct failing *f);
const char *failing_weight(struct check *c, const struct failing *f);
/* Whether it may be one of many calls in the library. */
bool failing_is_compound(struct check *c, const struct failing *f);
/* fix_failure.c: casts operands so that all have the dtype of one of them, if the call then works.
 */
void fix_one_dtype(struct check *c, const struct failing *f, struct finding *out);
/* Casts the operand to the dtype, if the call then works. */
void fix_to_dtype(struct check *c, const struct failing *f, struct finding *out,
                  const struct failing_operand *o, enum dtype d);
/* fix_device.c: moves the operand to the device of the other, if the call then works. */
void fix_device(struct check *c, const struct failing *f, struct finding *out,
                const struct failing_operand *o, const struct failing_operand *to);
/* Moves what is on the CPU to the GPU; or the other way, if only one operand is on the GPU and the
 * call computes on the CPU otherwise. */
void fix_devices(struct check *c, const struct failing *f, struct finding *out);
/* fix_edit.c: each returns false, and adds nothing, where the source does not have the call as the
 * pack writes it. */
struct written_call as_written(const struct call *call);
bool is_spelled_out(struct check *c, const struct call *call);
/* Sets the option or argument for the parameter with the role. */
bool fix_option(struct check *c, struct finding *f, const struct call *call, enum param_role role,
                const char *text);
/* Wraps an expression; to: the dtype or device, NULL if the spelling has none. */
bool fix_wrap(struct check *c, struct finding *f, struct span at, const char *spelling,
              const char *to);
/* Replaces the call by its operand; by a cast of its operand. */
bool fix_unwrap(struct check *c, struct finding *f, const struct call *call,
                const struct argument *x);
bool fix_cast_again(struct check *c, struct finding *f, const struct call *call,
                    const struct argument *x, const char *dtype);
bool fix_rename(struct check *c, struct finding *f, const struct call *call, const char *name);
/* The op that computes the same into a new tensor; NULL: none. */
const char *write_out_of_place(struct check *c, const struct call *call);
bool fix_out_of_place(struct check *c, struct finding *f, const struct call *call);
/* Around the statement that the place is in. */
bool fix_insert_before(struct check *c, struct finding *f, struct span at, const char *statement);
bool fix_insert_after(struct check *c, struct finding *f, struct span at, const char *statement);
/* Puts the statement into a block that begins with this line. */
bool fix_in_block(struct check *c, struct finding *f, struct span at, const char *begin);
bool fix_remove_statement(struct check *c, struct finding *f, struct span at);
bool fix_move_behind_block(struct check *c, struct finding *f, struct span at);
bool statement_text(struct check *c, struct span at, struct span *whole, const char **text);

/* fix_call.c: whether a call that always fails uses the result: it has a fix of its own. */
bool feeds_failure(struct check *c, const struct call *call);
/* None of these is safe. Casts an argument; to the dtype of another; where the tensors
 * that it was computed from enter the function. */
bool fix_argument(struct check *c, struct finding *f, const struct call *call,
                  const struct argument *x, enum dtype d);
bool fix_argument_like(struct check *c, struct finding *f, const struct call *call,
                       const struct argument *x, const struct argument *like);
bool fix_argument_early(struct check *c, struct finding *f, const struct call *call,
                        const struct argument *x, enum dtype d);
/* Replaces a number by the limit of the dtype of the tensor next to it. */
bool fix_limit(struct check *c, struct finding *f, const struct call *call,
               const struct argument *number);
/* Casts an argument, and the result back to what the argument was. */
bool fix_computed_in(struct check *c, struct finding *f, const struct call *call,
                     const struct argument *x, enum dtype d);
/* Scales the left operand of the product instead of its result. */
bool fix_scale_before(struct check *c, struct finding *f, const struct call *product,
                      const struct call *scaling);

/* fix_sibling.c: casts or moves the field that the value was read from where another field of the
 * record is, with a result as wanted. unsafe: the field is read in several places. */
bool fix_sibling(struct check *c, struct finding *f, const struct ir_function *fn, ir_value value,
                 const char *verb, bool (*wanted)(const struct fact *f, const void *context),
                 const void *context, bool *unsafe);

/* fix_decision.c: the dtype or device that the program names there, if it can be written at an
 * instruction of a function; NULL: it cannot. */
const char *decision_text(struct check *c, const struct step *s, enum param_role role,
                          const struct ir_function *to, ir_value at);
/* For path_exists(): whether it is that instruction. */
bool is_inst(struct check *c, const struct ir_inst *i, const void *inst);

/* fix_origin.c: gives a tensor another dtype where its dtype was decided, if that is in the source
 * and if every call that uses it still works and none fails instead. unsafe: the result of a
 * function changes. except: the call that fails because of it, 0: none. */
struct origin_fix {
    const char *name;
    const struct step *how; /* of the tensor */
    enum dtype is, to;
    const struct step *like; /* a tensor that has the right dtype; NULL: none */
    bool several;            /* which is one of several, */
    bool flagged;            /* as is the dtype of the tensor itself */
    bool narrows;            /* computing in fewer bits is what is meant */
    bool replaces;           /* a dtype that is given, or is that of another, may be replaced */
    bool lenient;            /* uses that are not decided do not matter */
    const struct ir_function *function;
    ir_value except;
    const struct condition *when; /* it is reached; NULL: always */
    bool unsafe;                  /* out: */
    const char *what;             /* "create m->w as f16" */
    const struct step *at;
};
bool fix_at_origin(struct check *c, struct finding *f, struct origin_fix *fix);
/* Whether all calls that use the result work if it has this dtype. */
bool result_survives(struct check *c, const struct call *call, enum dtype to);
/* Leaves out a cast, if every call that uses its result works with its operand. */
bool fix_leave_out(struct check *c, struct finding *f, const struct call *cast,
                   const struct argument *x);
/* Creates the operand on the device of the other, if the failing function creates it. */
bool fix_created_on(struct check *c, struct finding *f, const struct failing *of,
                    const struct failing_operand *o, const struct failing_operand *to);

/* ---- rules --------------------------------------------------------------------------------- */

struct rule_code {
    /* Failures: whether the rule claims one; what to add to its finding. */
    bool (*claims)(const struct failing *f);
    void (*refine)(struct check *c, const struct failing *f, struct finding *out);
    bool (*is_guess)(const struct failing *f); /* of one it claims, which is not reported */
    bool general;                              /* claims what no other rule does */
    enum error_kind fallback;                  /* failures of this kind that no rule claims */
    /* Facts. */
    void (*call)(struct check *c, const struct call *call); /* each that was reached */
    bool by_case; /* what is wrong in one case of a call is wrong: it is also run on each */
    void (*program)(struct check *c);
};

#define RULE(id, code, name, group, fix, most, on, summary) extern const struct rule_code rule_##id;
#include "rules/rules.def"
#undef RULE

#endif

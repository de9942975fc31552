/* Calls of functions that a pack describes.
 *
 *   bind.c          parameters bound to the values of arguments
 *   operands.c      all that each operand can be
 *   combinations.c  what the pack says of every combination of them
 *   refine.c        what success implies for the operands; contracts
 *   result.c        what the call returns and writes
 *   question.c      calls that ask for the dtype, device or rank of a tensor
 *   call_lineage.c  the operands that decided a result
 *   alias.c        results that share memory with an operand
 *   shape_rules.c  the shape of what a call makes
 *   raw_memory.c   raw memory as an operand and as a result
 *   observe.c      what is reported of calls: each that was reached, and those that can fail
 */
#ifndef ANALYZER_FLOW_CALLS_H
#define ANALYZER_FLOW_CALLS_H

#include "analyzer/flow/memory/memory.h"
#include "analyzer/flow/results/results.h"

/* The autocast dtypes that can be in force on each device; DTYPE_NONE: no region is open. */
struct region_set {
    enum dtype dtypes[DEVICE_COUNT][VALUE_MAX];
    int count[DEVICE_COUNT];
};

enum {
    MAX_PARAMS = 12,
    MAX_MEMBERS = 6,
    MAX_OPERANDS = MAX_PARAMS + MAX_MEMBERS,
    MAX_CHOICES = 64,
    MAX_COMBINATIONS = 4096
};

/* What one parameter can be; further members of one that is many follow all parameters. */
struct choice {
    bool used, cut; /* cut: it can be more than the options below */
    struct value value;
    struct value members; /* of one that is many: where they stand */
    bool is_tensor, is_buffer, unknown;
    struct fact fact;
    const struct step *how;
    const struct step *made; /* the same, but for a call that returned it as it was */
    const struct step *half; /* of those that an object holds: how one in half was made */
    int count;
    struct operand options[MAX_CHOICES];
};

struct outcomes {
    bool works;
    struct fact results[PACK_MAX_RESULTS];
    enum operand_kind kinds[PACK_MAX_RESULTS];
    int result_count;
    int64_t bytes[PACK_MAX_RESULTS]; /* of raw memory; -1: not known */
    struct value number;             /* returned, if it is one: a dtype and a device are, too */
    uint16_t dtypes[MAX_OPERANDS];   /* of operands in combinations that work */
    uint8_t devices[MAX_OPERANDS];
    uint16_t gpus[MAX_OPERANDS];
    bool same, other; /* the result is, in some combination, the very operand; is something else */
    int same_as;
    /* Bits 1 << enum alias_kind, where the result may be, or may be of, an operand. */
    uint8_t aliases;
    bool mixed_dtypes, mixed_devices;                /* it works with tensors of different ones */
    const char *reasons[ERROR_KIND_COUNT];           /* NULL: that error does not come */
    const struct operand *failing[ERROR_KIND_COUNT]; /* the first combination that raises it */
    int failing_count[ERROR_KIND_COUNT];
    bool
        maybe_devices_differ; /* ERROR_DEVICE comes only if operands that can lie together do not */
    bool goes_back;           /* in some combination that works, backward does too */
    enum error_kind backward; /* what it raises in another; ERROR_NONE: nothing */
    const char *backward_reason;
};

/* One call on one path. The caller sets the first seven; the choices are bound by call_bind. */
struct pack_call {
    struct flow *f;
    const struct frame *fr;
    struct state *s;
    ir_value inst;
    const struct pack_function *fn;
    const struct value *args;
    int arg_count;
    struct choice *choices; /* MAX_OPERANDS; those in use come first */
    struct region_set regions;
    bool in_region; /* an autocast region may be open */
};

/* The parameter that choice i belongs to. */
const struct pack_param *call_param(const struct pack_function *fn, int i);
/* The array that members of a many parameter stand in; NULL: not known. */
const struct loc *call_array(const struct value *v);
/* Where an object keeps the tensors that it holds. */
const struct loc *call_held(struct flow *f, const struct loc *object);
/* What each parameter of the call is given. */
void call_bind(const struct pack_call *call);
/* What comes of all that they can be. */
const struct outcomes *call_outcomes(const struct pack_call *call);

/* operands.c: all that an operand can be. dims_only: it is taken to have dimensions. */
void choose(const struct pack_call *call, struct choice *c, const struct pack_param *p,
            bool dims_only);

/* refine.c: past the call, the operands were such that it works; what a contract leaves of the
 * outcomes, none: no run gets past it. */
void learn_operands(const struct pack_call *call, const struct outcomes *g);
const struct outcomes *expected(const struct pack_call *call, const struct outcomes *all);

/* question.c: the answer about what c is. */
struct value answer(struct flow *f, const struct pack_function *fn, const struct choice *c);

/* result.c: what the call returns; what it writes to out-parameters; an object that it returns
 * holds the tensors that it was given. */
struct value tensor_result(const struct pack_call *call, const struct outcomes *g);
struct value buffer_result(const struct pack_call *call, const struct outcomes *g);
struct value boxed(const struct pack_call *call, const struct outcomes *g);
struct value other_result(const struct pack_call *call, const struct outcomes *g);
void write_outs(const struct pack_call *call, const struct outcomes *g);
void hold(const struct pack_call *call, const struct value *object);

/* observe.c: a call that was reached, and one that can fail. */
void call_observe(const struct pack_call *call);
struct flow_failure *call_fail(const struct pack_call *call, enum error_kind kind,
                               const struct outcomes *g);

/* result.c: the name of the tensor that is the k-th of what is written to out-parameters. */
int call_out_tensor(const struct pack_call *call, int k);

/* call_lineage.c: what came of the call, and the operands that decided it. */
const struct step *call_result_step(const struct pack_call *call, const struct fact *fact);

/* The same of a call that returns operand `same` as it is. */
const struct step *call_step_from(const struct pack_call *call, const struct fact *fact, int same);
const struct step *call_step(const struct pack_call *call); /* that stands for the call */

/* alias.c: what the result shares with an operand, and what was changed in place. */
void alias_note(const struct pack_call *call, const struct outcomes *g);

/* shape_rules.c: of what the call made. */
void shape_assign(const struct pack_call *call, const struct value *result);

/* raw_memory.c: what the pointer can be. open: where it lies is not asked, unless it is known. */
void buffer_choose(struct flow *f, const struct state *s, bool open, struct choice *c);
/* How large the memory of result k is; -1: not known. */
int64_t buffer_bytes(const struct pack_function *fn, const struct choice *choices,
                     const struct outcomes *g, int k);
/* A pointer to what the call made: its result, k: one of what it writes to out-parameters. */
struct value buffer_made(const struct pack_call *call, int k, const struct type *type,
                         struct tensor made);

#endif

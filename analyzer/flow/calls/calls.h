/* Calls of functions that a pack describes.
 *
 *   bind.c          parameters bound to the values of arguments
 *   operands.c      all that each operand can be
 *   combinations.c  what the pack says of every combination of them
 *   refine.c        what success implies for the operands; contracts
 *   result.c        what the call returns and writes
 *   text.c          questions about texts
 *   text_copy.c     calls that copy texts, and format them
 *   named.c         tensors that have names
 *   question.c      calls that ask for the dtype, device or rank of a tensor
 *   call_lineage.c  the operands that decided a result
 *   move.c         tensors of which a cast or move made another
 *   alias.c        results that share memory with an operand
 *   shape_rules.c  the shape of what a call makes
 *   sizes.c        sizes of raw memory, asked for and there
 *   value_ranges.c the range of the elements of what a call makes or changes
 *   raw_memory.c   raw memory as an operand and as a result
 *   tagged.c       tensors in containers beside numbers that say what they are
 *   replaced.c     tensors in containers of which casts made others that replaced them
 *   observe.c      what is reported of calls: each that was reached, and those that can fail
 *   call_case.c    the distinct cases of a call that was reached
 */
#ifndef ANALYZER_FLOW_CALLS_H
#define ANALYZER_FLOW_CALLS_H

#include "analyzer/flow/memory/memory.h"
#include "analyzer/flow/results/results.h"

/* The autocast dtypes that can be in force on each device; DTYPE_NONE: no region is open. */
struct region_set {
    enum dtype dtypes[DEVICE_COUNT][VALUE_MAX];
    int count[DEVICE_COUNT];
    enum dtype defaults[VALUE_MAX]; /* the default dtypes that can be in force */
    int default_count;
    enum tri records; /* whether gradients are recorded */
};

enum {
    MAX_PARAMS = 12,
    MAX_MEMBERS = 6,
    MAX_OPERANDS = MAX_PARAMS + MAX_MEMBERS,
    MAX_CHOICES = 64,
    MAX_COMBINATIONS = 4096
};

/* What one parameter can be; further members of a list follow all parameters. */
struct choice {
    bool used, cut; /* cut: it can be more than the options below */
    bool is_open;   /* a tensor that can be anything, of an API that has dtypes of its own */
    struct value value;
    struct value members; /* of a list: its address */
    bool is_tensor, is_buffer, unknown;
    struct fact fact;
    const struct step *how;
    const struct step *made;    /* the same, without a call that returned it unchanged */
    const struct step *changed; /* the last call that changed it in place, if it is one tensor */
    const struct step *half; /* of tensors that an object holds: how one in f16 or bf16 was made */
    int count;
    struct operand options[MAX_CHOICES];
};

struct outcomes {
    bool works;
    struct fact results[PACK_MAX_RESULTS];
    enum operand_kind kinds[PACK_MAX_RESULTS];
    int result_count;
    int64_t bytes[PACK_MAX_RESULTS]; /* of raw memory; -1: not known */
    struct value number;             /* returned, if it is one, as are dtypes and devices */
    dtype_set dtypes[MAX_OPERANDS];  /* of operands in combinations that work */
    uint8_t devices[MAX_OPERANDS];
    uint16_t gpus[MAX_OPERANDS];
    bool same, other; /* in some combination the result is the operand itself; is another tensor */
    int same_as;
    /* bits 1 << enum alias_kind, where the result may be an operand or a view of one */
    uint8_t aliases;
    bool mixed_dtypes, mixed_devices;                /* it works with tensors that differ in it */
    const char *reasons[ERROR_KIND_COUNT];           /* NULL: that error is not raised */
    const struct operand *failing[ERROR_KIND_COUNT]; /* the first combination that raises it */
    int failing_count[ERROR_KIND_COUNT];
    const char *no_better;      /* a reason that says no more than the one for ERROR_DTYPE */
    bool fails_with_dimensions; /* ERROR_DTYPE is raised also if operands of which nothing says how
                                   many dimensions they have are taken to have some */
    bool maybe_devices_differ;  /* ERROR_DEVICE is raised only if operands that can be on one device
                                   are not */
    bool goes_back;             /* in some combination that works, it has a backward */
    enum error_kind backward;   /* raised by backward in another; ERROR_NONE: nothing */
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
    const struct value *bound; /* of a call by a signature: of each parameter; NULL: it is none */
    const ir_value *from;      /* with that: the operands that they are; 0: none */
    const char *const *names;  /* with that: their names where they are none; NULL: none has one */
    const struct value *sizes; /* with that: of a new tensor, -1 unless all are given */
    int size_count;
    struct value_range listed; /* with that: of the numbers in lists that are given */
    int64_t elements;          /* of the result, while its range is found; 0: not known */
    bool is_hidden; /* it is in code that is not shown: what it returns is not what the instruction
                       yields */
    bool is_caught; /* the program handles what it raises */
    bool may_fail;  /* it was found that it can, whether or not it also works */
    const struct value *returns; /* the object that it returns; NULL: what the pack says */
    struct choice *choices;      /* MAX_OPERANDS; those in use come first */
    struct amount *asked; /* the bytes that it asks for, where they are multiples of unknown numbers
                            that the operands are multiples of, too; count 0: not so */
    int *made;            /* the tensors that it made: the result, then out-parameters */
    struct region_set regions;
    bool in_region; /* an autocast region may be open */
};

/* The parameter that choice i belongs to. */
const struct pack_param *call_param(const struct pack_function *fn, int i);
/* Whether raw memory is behind each of the arguments from its own on, too: what scanf() stores to.
 */
bool param_has_further(const struct pack_param *p);
/* The array of the members of a list parameter; NULL: not known. */
const struct loc *call_array(const struct value *v);
/* The tensors that the object holds that was passed for the parameter, however many these are. */
typedef LIST(struct value) held_list;
held_list call_held_tensors(const struct pack_call *call, int param);
/* The location at which an object keeps the tensors that it holds. */
const struct loc *call_held(struct flow *f, const struct loc *object);
/* Binds each parameter of the call. */
void call_bind(const struct pack_call *call);
/* The join of the outcomes of all that they can be. */
const struct outcomes *call_outcomes(const struct pack_call *call);

/* operands.c: all that an operand can be. */
enum detail {
    DETAIL_ALL,
    DETAIL_DIMS,   /* it is assumed to have dimensions, */
    DETAIL_BLURRED /* and the dtype of a tensor that can be anything is left open */
};
void choose(const struct pack_call *call, struct choice *c, const struct pack_param *p,
            enum detail detail);
/* Once all are chosen: a tensor that can be anywhere may also be where another one is, on a device
 * that is none of DEVICES_ALL. */
void choose_elsewhere(const struct pack_call *call);

/* refine.c: the tensor is one of these. Of one that a caller passes, the dtype stays what nothing
 * is known of: that the program asks does not say that anybody passes it. False: it cannot be. */
bool tensor_learn(struct flow *f, struct state *s, int id, const struct pack_function *fn,
                  dtype_set dtypes, uint8_t devices, uint16_t gpus);
/* After the call, the operands are such that it works; the outcomes that meet a contract. */
void learn_operands(const struct pack_call *call, const struct outcomes *g);
const struct outcomes *expected(const struct pack_call *call, const struct outcomes *all);

/* text.c: what a call that compares texts returns, where nothing is known of them but `unknown`; of
 * other calls, that. */
struct value text_comparison(const struct pack_call *call, struct value unknown);
/* The answer to a question about a text that is known; false: it is none, or not known. */
bool text_answer(const struct pack_call *call, struct value *out);
/* A length is that of an unknown text. */
void text_length_note(const struct pack_call *call, const struct value *length);
/* text_copy.c: whether the call depends on that argument for the text that it makes. */
bool text_depends_on(const struct ir_function *caller, const struct ir_inst *call, int first,
                     const struct pack_function *fn, int argument);
/* The text that a call copies or formats, before it writes it; and then. */
struct text_made {
    struct value string; /* all that is there then; VALUE_ANY: not known */
    const char *spelled; /* else: characters that are copied without an end; NULL: none */
    int64_t most;        /* with that: how many */
    int64_t length;      /* that the call returns; -1: none, or not known */
};
struct text_made text_make(const struct pack_call *call);
void text_put(const struct pack_call *call, const struct text_made *t, struct value *result);
/* named.c: the call gives a tensor a name; made: the text that it formats. */
void name_give(const struct pack_call *call, const struct text_made *made);
bool name_find(const struct pack_call *call, struct value *out); /* it finds the one that has it */
/* question.c: the dtype whose elements' bytes are counted, as value.unit; what the call asks for.
 */
uint8_t size_unit(const struct fact *fact, bool unknown, const struct step *how);
uint8_t unit_asked(const struct pack_call *call);
/* The number of dimensions; the answer to a query about c. */
/* For guard_map: NULL, which is None, becomes what is not known. */
bool none_is_any(struct value *v, const void *context);
struct value rank_answer(const struct fact *fact);
/* What tells calls of one function from those of others: those that ask for a GPU have one answer.
 */
uint64_t asked_by(const struct pack_function *fn);
/* The answer of these. */
struct value has_gpu(struct flow *f, const struct frame *fr, struct state *s);
struct value answer(struct flow *f, const struct pack_function *fn, const struct value *of,
                    const struct fact *fact);
/* The answer to a question about a dtype that is the answer to one about a tensor; false: it is
 * not. */
bool answer_of_dtype(const struct pack_call *call, struct value *out);
/* A size of the first operand, if that is asked for and known. Only where states are merged: shapes
 * of states that were joined may be of either. */
bool size_asked(const struct pack_call *call, struct value *out);

/* result.c: what the call returns; what it writes to out-parameters; the tensors that an object
 * holds from then on. */
struct value tensor_result(const struct pack_call *call, const struct outcomes *g);
struct value buffer_result(const struct pack_call *call, const struct outcomes *g);
struct value boxed(const struct pack_call *call, const struct outcomes *g);
struct value other_result(const struct pack_call *call, const struct outcomes *g);
void write_outs(const struct pack_call *call, const struct outcomes *g);
void hold(const struct pack_call *call, const struct value *object);

/* tagged.c: whether a number that goes with an operand may decide whether it fails. */
bool call_is_tagged(const struct pack_call *call);
bool loc_is_several(const struct loc *l); /* one place that stands for several */
/* replaced.c: whether an operand may be one that no element of its container is any more. */
bool call_reads_replaced(const struct pack_call *call);
/* observe.c: a call that was reached, and one that can fail. */
void call_observe(const struct pack_call *call);
struct flow_failure *call_fail(const struct pack_call *call, enum error_kind kind,
                               const struct outcomes *g);

/* observe.c: one of the operand's choices, added to all that it was. */
void operand_observe(const struct pack_call *call, struct flow_operand *to, int i);
/* call_case.c: the call worked in this case; result, outcomes: NULL: it returns no tensor. */
void case_observe(const struct pack_call *call, const struct outcomes *g,
                  const struct value *result);

/* result.c: the name of the tensor that is written to the k-th out-parameter. */
int call_out_tensor(const struct pack_call *call, int k);

/* call_lineage.c: the step of a result with this fact. */
const struct step *call_result_step(const struct pack_call *call, const struct fact *fact);

/* The same of a call that returns operand `same` unchanged. */
const struct step *call_step_from(const struct pack_call *call, const struct fact *fact, int same);
const struct step *call_step(const struct pack_call *call); /* of the call itself */

/* move.c: the call made another tensor of its operand; the name of a tensor goes to an older one
 * (0: to none); how one of those that the operand can be was made of which a cast or move may have
 * made another before. */
void move_note(const struct pack_call *call);
/* Whether a cast or move made another tensor of it, or of a view of it, in the case at hand. */
bool copy_before(const struct pack_call *call, int id);
void move_age(const struct pack_call *call, int id, int older);
/* Those of tensors that nobody holds any more. */
void moves_forget(struct flow *f, struct state *s);
const struct step *move_before(const struct pack_call *call, const struct choice *c);

/* alias.c: what the result shares with an operand, and what is changed in place. */
void alias_note(const struct pack_call *call, const struct outcomes *g);

/* shape_rules.c: the shape of what the call made. */
void shape_assign(const struct pack_call *call, const struct value *result);
/* Which dimensions of so many a reduction sums over; false: not known. */
bool shape_reduced_dims(const struct pack_call *call, int rank, bool *gone);

/* sizes.c: sizes that are not known but can be compared: sets what operands can be. */
void sizes_choose(const struct pack_call *call);
/* The size of memory that the call made, of which the pack says the factor; of that which its
 * result is a view of. NULL: not known. */
const struct extent *sizes_made(const struct pack_call *call, int64_t factor);
const struct extent *sizes_viewed(const struct pack_call *call);
enum flow_sizes sizes_told(const struct pack_call *call);

/* value_ranges.c: the range of the elements of what the call made or changed. */
void values_assign(const struct pack_call *call, const struct outcomes *g,
                   const struct value *result);

/* raw_memory.c: all that the pointer can be. open: its device matters only if it is known. */
void buffer_choose(struct flow *f, const struct state *s, bool open, struct choice *c);
/* The size of the memory that is result k; -1: not known. */
int64_t buffer_bytes(const struct pack_function *fn, const struct choice *choices,
                     const struct outcomes *g, int k);
/* A pointer to memory that the call made: its result, or what it writes to out-parameter k. */
struct value buffer_made(const struct pack_call *call, int k, const struct type *type,
                         struct tensor made);

#endif

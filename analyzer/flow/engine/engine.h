/* The engine: the abstract interpreter.
 *
 *   fixpoint.c       a function: its blocks until no state changes
 *   worklist.c       states that wait at blocks to be run
 *   arrivals.c       which states came to a block, by the edge they came on
 *   join_policy.c    when states are kept apart, joined or dropped
 *   budget.c         what a root may cost
 *   sampling.c       another run on few paths, where too many were joined
 *   default_trips.c  how often loops go round whose length an option may change
 *   foresee.c        numbers from outside that a loop asks about
 *   instruction.c    instructions one by one
 *   tensor_field.c   fields of the records that tensors are
 *   operator.c       operators on numbers
 *   cases.c          instructions that read what is one of several
 *   branch.c         what a branch taken implies
 *   call.c           calls: frames, recursion, functions that are not here
 *   callback.c       functions that a library calls: threads, handlers, comparisons
 *   recursive_counter.c numbers that are given again and again
 *   returned.c       what recursive functions returned so far
 *   pure.c           functions that compute a number and do nothing else
 *   late.c           which places of loops belong together, from run to run of a root
 *   lookup.c         functions that return NULL where they found nothing
 *   outside_test.c   tests of tensors by code that is not here
 *   pack_call.c      calls of functions that a pack describes
 *   pointer_checks.c what the program does through pointers to raw memory
 *   pointer_compare.c comparisons of pointers
 */
#ifndef ANALYZER_FLOW_ENGINE_H
#define ANALYZER_FLOW_ENGINE_H

#include "analyzer/flow/autograd/autograd.h"

/* What runs the instructions of dynamic languages: above the engine, which calls it. */
struct dynamic_language {
    /* One instruction; false: it does not end normally. */
    bool (*run)(struct path *p, ir_value n, struct value *out);
    /* The body of a unit is run as the program; functions that it did not run, with values from
     * outside. */
    void (*begin)(struct flow *f, const struct frame *fr, struct state *s);
    void (*run_rest)(struct flow *f, const struct frame *fr, struct state *s);
    /* Drops objects made since a state was that, which nothing leads to but perhaps a value. */
    void (*drop_garbage)(struct flow *f, struct state *s, const struct state *since,
                         const struct value *but);
    /* How many iterations a loop has whose condition is that instruction; 0: not known. */
    double (*iterations)(struct path *p, ir_value condition);
    /* The states at the head of a loop before and after an iteration that compared no objects: the
     * next iterations are skipped, if they do nothing that it did not. */
    void (*skip)(struct flow *f, const struct frame *fr, const struct state *before,
                 struct state *now);
};

/* instruction.c */
struct value path_get(struct path *p, ir_value n);
void path_set(struct path *p, ir_value n, struct value v);
/* An argument of a call. */
struct value path_argument(struct path *p, const struct ir_inst *i, int k);
/* One instruction that neither calls nor ends the block. */
void run_inst(struct path *p, ir_value n, const struct ir_inst *i);
/* The result of one that neither calls, writes memory nor ends the block. */
struct value inst_result(struct path *p, ir_value n, const struct ir_inst *i);

/* tensor_field.c: what a field, or an element of it, says of the tensor; NULL: nothing is known. */
const struct pack_function *tensor_field(const struct path *p, ir_value n);
/* What is read from there counts the bytes of elements of this dtype: as value.unit. */
uint8_t tensor_stride_unit(struct path *p, ir_value n);
/* False: nothing is known of the field. */
/* By the instruction n, at the address `field`. */
bool tensor_field_read(struct path *p, ir_value n, ir_value field, const struct value *of,
                       struct value *out);
bool tensor_field_write(struct path *p, ir_value field, const struct value *of);

/* outside_test.c: a call of missing code (fn NULL) or of a function that finds something by its
 * arguments, before it is run. */
void outside_test(struct path *p, ir_value n, const struct ir_inst *i, int first,
                  const struct pack_function *fn);

/* operator.c */
struct value operator_binary(struct path *p, const struct ir_inst *i, const struct value *x,
                             const struct value *y);
/* The number that is so much more than the one that an element is at; NULL: it has no identity. */
const struct loc *operator_index(struct path *p, const struct loc *index, const struct value *by);
struct value operator_unary(struct path *p, const struct ir_inst *i, const struct value *x);
struct value operator_convert(struct path *p, const struct ir_inst *i, const struct value *x);

/* cases.c: the same once for each case of what it reads. */
void run_inst_by_cases(struct path *p, ir_value n, const struct ir_inst *i);
bool value_is_open(const struct value *v); /* it is one of several */
/* A call that is run on a state of its own; false: it does not return. */
typedef bool case_call(struct path *p, void *context, struct exit_state *e);
void call_by_cases(struct path *p, case_call *call, void *context, exit_list *exits);
/* Each that the value can be, on a path of its own. */
typedef void case_run(void *context, struct path *p, const struct value *v);
void each_case(struct path *p, const struct value *v, case_run *run, void *context);

/* call.c */
/* The frame of a function that goes on: its variables are those of that context. */
struct frame *frame_again(struct flow *f, const struct code *code, const struct frame *outer,
                          ir_value call, uint64_t context);
struct frame *frame_new(struct flow *f, const struct code *code, const struct frame *outer,
                        ir_value call, struct span at);
/* Whether the call that the frame is of has a record as its result. */
bool frame_returns_record(const struct frame *fr);
/* Moves the record at v out of the frame: to where the call has its result. */
struct value frame_record_result(struct flow *f, const struct frame *fr, struct state *s,
                                 const struct value *v);
/* The beginning of a call: how much of the arena was in use, and the last stamp. */
struct call_mark {
    size_t used;
    uint64_t stamp;
};
struct call_mark call_begin(const struct flow *f);
/* Frees everything that was allocated since, except the exit states, and those that raise (NULL:
 * there are none). */
void call_end(struct flow *f, struct call_mark since, exit_list *exits, exit_list *raised);
/* All exit states of the call. */
void run_call(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits);
void join_exits(struct flow *f, const struct frame *fr, exit_list *exits, int room);
/* A function of the program, as far as it is followed. Its parameters are the arguments from
 * `first` on. */
void run_known(struct path *p, ir_value n, const struct ir_inst *i, struct code *to, int first,
               exit_list *exits);
/* A function that is not followed: it may change all that its arguments lead to. */
struct value unfollowed(struct path *p, ir_value n, const struct ir_inst *i, int first);

/* callback.c: calls of a pack's functions that are given some of the program. They call these, and
 * are called from where calls are run. */
struct callbacks {
    /* All that a call does; false: it is one like others. */
    bool (*run)(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits);
    /* What it starts in a thread, once it returned. */
    void (*start)(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits);
};
extern const struct callbacks callbacks;
/* No function is to be run at the end of the program; those that are, are run, the last first. */
void ends_begin(struct flow *f, struct state *s);
bool ends_are_given(struct flow *f, const exit_list *exits);
void run_at_end(struct path *p);
/* A function that nobody calls, and that takes and returns nothing. */
void run_alone(struct flow *f, struct code *c, struct state *s);

/* returned.c: with merged states. What the instance returned is noted; true: it is more than
 * before. */
bool returned_note(struct flow *f, const struct frame *fr, struct code *code,
                   const exit_list *exits, bool past);
/* The tensor becomes one of those that were returned; false: none was, in runs that are in the
 * state. */
bool returned_put(struct flow *f, struct state *s, const struct code *code, int id);
/* recursive_counter.c: what a number that is passed is in all instances below, so far as the
 * function compares it; false: anything. */
bool counter_widen(struct path *p, const struct frame *callee, int local, const struct value *v,
                   struct value *out);

/* foresee.c: before a loop is run for the first time, from that state. */
void loop_foresee(struct flow *f, const struct frame *fr, int head, struct state *s);

/* late.c: those of the loop at a block that are known to belong together, by its head; whether some
 * were added since this was asked. */
struct place_set *late_places(struct flow *f, const struct code *code, int block);
bool late_grew(struct flow *f);

/* pure.c: after a call that began when there were so many terms. A result that depends on what is
 * unknown in one call alone becomes one that is the same in others with the same arguments. */
void pure_result(struct path *p, const struct ir_inst *i, struct code *callee, int first,
                 int terms_before, exit_list *exits);

/* fixpoint.c */
/* raised: exceptions that leave it, NULL: nobody asks. */
void run_code(struct flow *f, const struct frame *fr, struct state *entry, exit_list *exits,
              exit_list *raised);
/* The same from the beginning of a block on. */
void run_code_from(struct flow *f, const struct frame *fr, int block, struct state *entry,
                   exit_list *exits, exit_list *raised);

/* budget.c: a fork that is charged to the budget; how many states are kept separate at a block. */
enum { CELLS_PER_VISIT = 4 };   /* copying or comparing so many costs as much as an instruction */
enum { SHARED_PER_VISIT = 64 }; /* the same, where they are only shared */
/* In programs of dynamic languages, whose memory has all their classes and functions, too. */
enum { OBJECTS_PER_VISIT = 1024 };
struct state *state_fork_counted(struct flow *f, struct state *s);
int states_allowed(const struct flow *f);
/* When the budget of a root is spent, states are no longer kept separate: that converges soon,
 * and loses no path. Only if even that takes too long the root is left unfinished. With one state
 * per block, the root is run again with several. */
enum { TIMES_JOINED = 4 };
/* Bytes that the states of a root may take, whatever the visits cost; the first number is for
 * dynamic languages, which have no other way to run it. */
#define MOST_MEMORY(is_dynamic) ((is_dynamic) ? (size_t)1 << 30 : (size_t)3 << 29)
static inline bool budget_is_spent(const struct flow *f)
{
    if (f->scratch && arena_used(f->scratch) > f->most_memory)
        return true;
    if (f->merges)
        return f->left < 0 || guards_are_too_large(f->guards);
    return f->left < (f->sampling ? 0 : -TIMES_JOINED * f->options.max_visits);
}
/* Much of the budget of a program of a dynamic language is spent: loops whose end is not known are
 * not run again, so that something is left for what follows them. */
static inline bool is_hurried(const struct flow *f)
{
    return f->is_dynamic && (f->left < f->given / 2 || guards_are_large(f->guards));
}
/* A part of a program of a dynamic language that the rest can do without, such as an import, has a
 * share of the budget: if it needs more, what it does is not known, and the analysis goes on behind
 * it. */
struct allowance {
    int64_t left, given;
    bool is_blamed;
    size_t memory;
    struct guards_share guards;
};
/* In the second merged run of a program that is too large: an equal share of what is left, and how
 * many there are to have one; 0: the call needs none, since the first run got through it. */
void allowance_begin_among(struct flow *f, int among, struct allowance *outer);
int allowance_among(const struct flow *f, const struct code *caller, const struct code *callee);
/* A share of what a root may take, and not all that is left. */
void allowance_begin(struct flow *f, double share, struct allowance *outer);
/* So many visits, as many conditions as a root may have, and half of the memory that is left. */
void allowance_begin_own(struct flow *f, int64_t visits, struct allowance *outer);
bool allowance_end(struct flow *f, const struct allowance *outer); /* true: it was spent */
/* What is left where a function begins, and what of it was spent once it ends: the innermost one
 * that spent most of what it is a part of is too costly to be followed again and again. */
struct spending {
    int64_t left;
    double guards;
    bool was_spent;
};
struct spending spending_begin(const struct flow *f);
void spending_end(struct flow *f, const struct spending *before, struct code *code);
bool is_too_costly(const struct flow *f, const struct code *code);
/* The root is run again in another way, whatever this run still does. */
static inline bool is_given_up(const struct flow *f)
{
    return f->merges && budget_is_spent(f);
}
/* Analysis ends there: what follows is not known; counted, if it is not counted elsewhere. */
void budget_note_cut(struct flow *f, struct span at);
void cut_short(struct flow *f, struct span at);

/* join_policy.c: a list of records that hold a state each is reduced to at most `room`: states
 * past an error are dropped, then the last records are joined into the nearest ones or, on
 * sampled paths, dropped. The number that remains. */
struct state_records {
    void *items;
    int count;
    size_t size, at; /* of a record; of the pointer to the state in it */
};
#define STATE_RECORDS(list, record, field)                                                         \
    ((struct state_records){(list).items, (list).count, sizeof(record), offsetof(record, field)})
typedef void join_records(void *context, void *into, const void *from);
int policy_for_list(struct flow *f, const struct frame *fr, struct state_records r, int room,
                    join_records *join, void *context);

/* On sampled paths, of which there were `before`: those most different from each other are kept, in
 * that order. */
int policy_for_samples(struct flow *f, struct state_records r, int before);

/* sampling.c: a second run of a root, on few paths. */

enum { SAMPLED_STATES = 8, SAMPLED_MAX = 64 };
int64_t sampling_visits(const struct flow *f); /* its budget */
int sampling_room(const struct flow *f);
/* Which of the states to keep where there is room for no more: the first, then those that differ
 * most from it and each other. Not more than SAMPLED_MAX. */
struct contrasts;
void sampling_choose(struct state *const *states, int count, int room, int *chosen,
                     struct contrasts *known); /* NULL: no cache */
/* For records of that size with a pointer to a state at offset `at`. Moves those to keep to the
 * front; their number. */
#define SIZE_AND_STATE(record, field) sizeof(record), offsetof(record, field)
int sampling_keep(struct flow *f, void *items, int count, size_t size, size_t at, int room);
/* The same: keeps states that runs get to; the first, if there are none. */
int drop_after_error(void *items, int count, size_t size, size_t at);
/* The index of the state nearest to s. */
int nearest_of(const void *items, int count, size_t size, size_t at, const struct state *s);
/* A cache of how much the states that wait at a block, and the last that arrived, differ. */
struct contrasts {
    const struct state *of[SAMPLED_STATES + 1];
    int with[SAMPLED_STATES + 1][SAMPLED_STATES + 1]; /* -1: not known */
};
void contrasts_take(struct contrasts *c, int at,
                    const struct state *s); /* it is at that index now */

/* default_trips.c: how many iterations a loop has with that condition in its head, if the bound is
 * the largest known number of those that it can be; 0: none is known. */
double default_trips(struct path *p, ir_value condition);

/* lookup.c: no lookup has failed; one has; the one at hand has. */
void lookups_begin(struct flow *f, struct state *s);
bool lookup_has_failed(struct flow *f, const struct state *s);
/* A function is left, and, once all its exits are known, returns to where it was called in the
 * state `before`. */
void lookup_note_nothing(struct flow *f, struct state *s);
void lookup_note_exit(struct flow *f, const struct code *code, struct exit_state *e);
void lookup_note_return(struct flow *f, const struct code *callee, const struct state *before,
                        exit_list *exits);

/* pack_call.c: f, fr, s, inst, fn and the arguments are set by the caller. False: the call raises
 * an error on every path, and the path ends here. */
bool run_pack_call(struct pack_call *call, struct value *result);
/* Behind contracts of which one did not hold: whether the path goes on, past an error. */
bool path_goes_on(struct flow *f, struct state *s);

/* pointer_checks.c: whether the elements have another dtype than the pointer's new type. */
void pointer_cast(struct path *p, ir_value n, const struct ir_inst *i, const struct value *v);
/* The host reads or writes there. */
void pointer_touch(struct path *p, ir_value n, const struct ir_inst *i, const struct value *at);

/* pointer_compare.c: the answer; false: it is not known. */
bool pointer_compare(const struct state *s, enum ir_arith arith, const struct value *x,
                     const struct value *y, struct value *out);

/* branch.c. False: the branch cannot be taken. */
bool refine(struct flow *f, struct state *s, const struct value *v, bool truth);

#endif

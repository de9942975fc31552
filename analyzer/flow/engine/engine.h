/* The interpreter's insides: code prepared for running, frames, and the parts that the files of
 * flow/ share.
 *
 *   link.c    units become one program: names resolved, what matters found
 *   loop.c    loops of a function
 *   distance.c   how far two states are apart; exact_join.c, join.c: they become one
 *   page.c    what states share
 *   subsume.c   whether a state has anything to add to another; compare_cache.c, which few places
 * say it has liveness.c    what may still be read memory.c  reading and writing locations, unknown
 * contents instruction.c    instructions number.c  arithmetic call.c    calls: frames, recursion
 *   fixpoint.c   blocks until nothing new comes in; worklist.c, what comes to one
 *   operands.c, pack_call.c  calls of packed functions: all that the operands can be, what comes of
 * it regions.c autocast and no-grad regions buffer.c  raw memory pointer_checks.c what the program
 * does with it shape.c   shapes that are written down alias.c   who shares memory with whom uses.c
 * what becomes of results branch.c  what a branch taken teaches lineage.c how facts came about
 *   assume.c  what is taken to be so
 *   merge_roots.c   what each root gave becomes what all gave
 *   roots.c    roots, results */
#ifndef ANALYZER_RUN_H
#define ANALYZER_RUN_H

#include "analyzer/flow/states/state.h"

/* uses.c: by value, from from[value] to from[value + 1]. */
struct users {
    struct user {
        ir_value user;
        int argument;
    } *all;
    int *from;
    bool *loaded;  /* of each local: something reads it */
    bool *escapes; /* of each local: see ir_locals_escaping() */
};

/* A function, made ready when it is first run. Names are interned over all units. */
struct code {
    const struct ir_function *fn;
    const struct ir_unit *unit;
    const char *name;
    struct map *links;                   /* of its unit: what names stand for */
    const char **names;                  /* of each instruction */
    const char **local_names;            /* of each local */
    const struct pack_function **packed; /* of each call: what a pack says of it */
    struct code **callee;                /* of each direct call: a function of the program */
    struct object **global;              /* of each address of a global */
    /* Of the root at hand, and of all so far. Of each instruction: what is known of it; NULL:
     * nothing. Of each packed call: as it was reached; NULL: not yet. */
    struct flow_value **values, **all_values;
    struct flow_call **reached, **all_reached;
    bool *crosses;            /* the value is used in another block, or behind a call */
    int *block_of, *place_in; /* of each instruction */
    bool *loop_head;          /* of each block: an edge comes back to it */
    bool searches;            /* a loop of it ends in more than one way */
    bool *counts;             /* of each loop head: nothing there is about anything but numbers */
    bool *repeats; /* of each loop head: what counts its rounds says nothing else there */
    bool **turned; /* of each loop head: which locals are written between it and where it is come
                      back to from */
    int *live_local, *live_value; /* liveness.c: numbers of what is followed, -1: is not */
    int live_count;
    bool *inner;     /* of each local: used in no more than one block */
    uint64_t **live; /* of each block: bits of what may still be read where it begins */
    LIST(struct code *) calls, callers; /* direct, or whose address is taken */
    LIST(struct code *) inits;          /* that may set globals it names */
    LIST(ir_value) globals;             /* the instructions that name them */
    bool edges_known;                   /* calls and inits are */
    int walked;                         /* the last root that this was found to belong to */
    bool relevant; /* reaches a packed function, or is reached by one that does */
    bool reaches, called;
    int64_t order;      /* in the program: by unit, then in it */
    uint64_t id;        /* by its name and its unit's: the same in another run */
    bool was_entered;   /* by any root */
    int missing;        /* calls of what is neither here nor in a pack, of all roots */
    struct reach *here; /* of the root at hand */
    /* Recursion: what it returned so far in this root, and whether that was asked for. */
    struct fact returned;
    bool returned_known, asked;
    struct deeper *deeper;
    bool grew;           /* something was added to it */
    int root;            /* the one for which these hold */
    struct users *users; /* NULL: nobody asked yet */
};

/* With what a function was called beyond the depth that is followed: that is added to what its last
 * instance begins with. */
struct deeper {
    uint64_t flags; /* of that instance */
    struct state *state;
    struct deeper *next;
};

struct frame {
    const struct code *code;
    const struct frame *outer;
    uint64_t context; /* of the calls that led here */
    const struct frame_place *called;
    int depth;
    bool is_partial; /* or a caller is: what is known here may lack what was left out there */
    struct object **locals;
    struct object *regs; /* values that cross blocks */
    struct value *given; /* of each parameter, where it was called */
    uint64_t flags;      /* what its path is told by, with entry */
    struct state *entry; /* of the last instance that is followed of a function that calls itself */
};

struct exit_state {
    struct state *state;
    struct value value;
};
typedef LIST(struct exit_state) exit_list;

struct assumption;

/* A call that changes, by its gradient, a tensor that an object holds. */
struct stepped {
    int tensor;
    struct flow_idle call;
};

/* Whether a call was seen, and once did not have to fail; by whether a call failed before it. */
struct visit {
    uint64_t key;
    const struct code *code;
    bool seen[2], spared[2];
};

/* A failure, and what it is known by. Of all roots: when by whether an operand is unknown, of those
 * roots where that was so. */
struct failed {
    struct flow_failure failure;
    uint64_t key;
    const struct condition *when[2];
    bool met[2];
};

/* A call of a function that is neither here nor in a pack. */
struct missing {
    const struct code *code;
    ir_value inst;
};

/* What a root entered. */
struct reach {
    struct code *code;
    struct digest gave; /* what joining goes by, of all that it gave there */
    bool effective;     /* it added something to what the roots before it gave */
};

/* All that one root gives. */
struct given {
    LIST(struct flow_value *) values;
    LIST(struct flow_call *) calls;
    LIST(struct failed *) failures;
    LIST(struct visit *) visits;
    LIST(struct missing) missing;
    LIST(struct stepped) stepped;
    LIST(struct reach) entered;
    struct map *failed, *visited; /* by key */
    struct map *counted;          /* what stands in missing and stepped */
    struct map *graded;           /* tensors that a backward got to, on any path, by name */
    bool graded_unknown;          /* and others, for one went back through what nobody knows */
    bool forgot;                  /* tensors may be held where they are not seen any more */
    struct flow_counts counts;
};

/* A root that was run, and what it gave, until all are joined. */
struct ran {
    struct code *code;
    struct given given;
    struct arena *kept;
    struct flow_root told;
};

struct flow {
    struct assumption *assumptions;
    struct arena *arena;   /* results, lineage, locations */
    struct arena *scratch; /* states of the root at hand; a call gives back what it took */
    struct arena *kept;    /* what values of the root at hand point to, and what it gives */
    struct names *names;
    struct heap *heap;   /* of the root at hand */
    struct heap *shapes; /* shared by those of all roots */
    const struct pack_set *packs;
    struct flow_options options;
    LIST(struct code *) codes;
    struct map *by_name;     /* visible functions, by interned name */
    struct map *by_function; /* struct code by ir_function */
    struct map *globals;     /* objects by interned name, and unit, of the root at hand */
    struct map *setters;     /* of each global: the initialisers that name it */
    struct given own;        /* of the root at hand */
    /* Of all roots so far. */
    LIST(struct flow_value *) value_list;
    LIST(struct flow_call *) call_list;
    struct map *failures;
    LIST(struct failed *) failure_list;
    struct map *visits;  /* struct visit of each call that was seen */
    struct map *counted; /* calls already counted as unmodelled */
    bool graded_unknown;
    LIST(struct flow_idle) idle_list;
    int root;                /* how many there were, with the one at hand */
    LIST(struct ran *) rans; /* in the order of the program once joined */
    void (*asked)(void *context, const struct ir_function *fn);
    void *context;
    struct map *outcomes; /* of packed calls, by what the operands can be */
    struct flow_counts counts;
    const struct loc *ambient[DEVICE_COUNT + 1]; /* regions.c: where what is in force is kept */
    struct map *steps;    /* of lineage, by context, place and what came of it */
    uint64_t stamps;      /* given to states: page.c */
    int64_t left;         /* visits of instructions before the root is cut short */
    bool narrow;          /* sampling.c: where there is no room, paths are left out, not joined */
    int beside;           /* with narrow: the paths beside that at hand, in all its callers */
    bool joined;          /* paths of the root at hand were joined, for there were too many */
    int64_t spent;        /* of all roots that were run */
    bool globals_unknown; /* the root at hand is not the program's start */
};

/* link.c */
void link_unit(struct flow *f, const struct ir_unit *u, int rank);
void link_program(struct flow *f); /* once all units are there: what matters */
struct code *code_of(const struct flow *f, const struct ir_function *fn);
void code_prepare(struct flow *f, struct code *c);
bool is_initialiser(const struct code *c);
/* The initialisers of what a root can ever get at, in order. */
typedef LIST(struct code *) code_list;
code_list link_initialisers(struct flow *f, struct code *root);

/* merge_roots.c: what the root at hand gives; what all give. */
struct flow_failure *failure_at(const struct flow *f, uint64_t key); /* NULL: none yet */
struct flow_failure *failure_add(struct flow *f, uint64_t key);
/* The less, the more it is worth telling. */
int failure_rank(const struct flow_failure *r);
struct visit *visit_at(struct flow *f, const struct code *c, uint64_t key);
void missing_note(struct flow *f, const struct code *c, ir_value inst);
void merge_begin(struct flow *f);
void merge_end(struct flow *f);     /* of what f->own has, to all */
void merge_nothing(struct flow *f); /* of none yet */

/* loop.c */
void loops_find(struct flow *f, struct code *c);

/* liveness.c */
void live_prepare(struct flow *f, struct code *c);
void live_drop(const struct frame *fr, int block, struct state *s);

/* memory.c */
struct value memory_read(struct flow *f, const struct frame *fr, struct state *s,
                         const struct loc *l, const struct type *type);
void memory_write(struct flow *f, struct state *s, const struct loc *l, struct value v);
/* Of a record: all it is made of. */
void memory_copy(struct flow *f, const struct frame *fr, struct state *s, const struct value *to,
                 const struct value *from, const struct type *type);
void memory_zero(struct flow *f, struct state *s, const struct loc *l);
/* What a pointer leads to may have been changed by somebody unknown. */
void memory_forget(struct flow *f, struct state *s, const struct value *v);
/* The same of all that somebody who is not here can get at: globals, what they lead to, and what
 * was given away before. */
void memory_forget_globals(struct flow *f, struct state *s);
/* A call copied what lies at one address to another, as far as it is known how much. False: what is
 * there now is not known. */
bool memory_copy_bytes(struct flow *f, const struct frame *fr, struct state *s,
                       const struct value *to, const struct value *from);
/* The same of what a call fills: other fields of the record that it is in stay as they are. */
void memory_forget_part(struct flow *f, struct state *s, const struct value *v);
/* What is known of a number from outside where it came from; NULL: it is no longer there. */
const struct value *given_now(const struct state *s, const struct test *given);
struct value unknown_value(struct flow *f, struct state *s, const struct type *type, uint64_t key,
                           const struct step *how, const char *name);
/* Unless the program starts at the root at hand, anybody may have set a global before. */
const struct loc *global_at(struct flow *f, struct object *o);
bool is_tensor_type(const struct flow *f, const struct type *type); /* a pointer to a tensor */
bool is_number_type(const struct type *type);

/* assume.c. NULL: nothing is assumed of what lies there. */
bool assume_parse(struct flow *f, struct error *e);
const struct fact *assumed_at(struct flow *f, const struct loc *l);

/* One path through a block. */
struct path {
    struct flow *f;
    const struct frame *fr;
    int block;
    struct value *regs; /* of this block's instructions, by place */
    struct state *s;
};

/* instruction.c */
struct value path_get(struct path *p, ir_value n);
void path_set(struct path *p, ir_value n, struct value v);
/* One instruction that neither calls nor ends the block. */
void run_inst(struct path *p, ir_value n, const struct ir_inst *i);
/* What is known of what the instruction yields; made when it is first asked for. */
struct flow_value *value_at(struct flow *f, const struct code *c, ir_value inst);
/* True: it was not known yet. */
bool record_way(struct flow_value *r, const struct step *how);
bool record_maker(struct flow_value *r, const struct step *how);
bool record_alias(struct flow_value *r, uint8_t kinds, const struct step *of); /* alias.c */
/* limit: what else is known of it, NULL: nothing. */
void record_value(struct flow *f, const struct frame *fr, ir_value inst, const struct state *s,
                  const struct value *v, const struct fact *limit);

/* number.c */
bool number_exact(const struct value *v, int64_t *n);
struct value number_binary(const struct ir_inst *i, const struct value *x, const struct value *y);
struct value number_device(const struct value *index, int64_t first);
struct value number_as_device(const struct pack_set *packs, struct value v);
struct value number_unary(struct flow *f, const struct ir_inst *i, const struct value *x);
struct value number_convert(const struct value *x, const struct type *to);

/* call.c */
struct frame *frame_new(struct flow *f, const struct code *code, const struct frame *outer,
                        ir_value call, struct span at);
/* All ways the call can go on. */
void run_call(struct path *p, ir_value n, const struct ir_inst *i, exit_list *exits);
void join_exits(struct flow *f, exit_list *exits, int room);

/* fixpoint.c */
void run_code(struct flow *f, const struct frame *fr, struct state *entry, exit_list *exits);
struct state *fork_state(struct flow *f, struct state *s);
int room_for_states(const struct flow *f);
void cut_short(struct flow *f, struct span at); /* what comes from there is not known */

/* layout.c: the field or element that begins so many bytes behind l; NULL: none, or not known. */
const struct loc *layout_at(struct flow *f, const struct loc *l, int64_t offset);

/* sampling.c: some paths of a root, one by one. */

enum { NARROW_STATES = 8, NARROW_MOST = 64 };
int64_t narrow_visits(const struct flow *f); /* what it may cost */
int narrow_room(const struct flow *f);
/* Which of the states to keep where there is room for no more, the first and those that are most
 * unlike it and each other, in that order. Not more than NARROW_MOST. */
struct contrasts;
void narrow_choose(struct state *const *states, int count, int room, int *chosen,
                   struct contrasts *known); /* NULL: nobody asks of them again */
/* Of records of that size with a pointer to a state at `at`. Those to keep come first; how many. */
#define SIZE_AND_STATE(record, field) sizeof(record), offsetof(record, field)
int narrow_keep(struct flow *f, void *items, int count, size_t size, size_t at, int room);
/* The same, of those that a run takes; the first, if there are no others. */
int drop_past(void *items, int count, size_t size, size_t at);
/* Which is nearest to the state. */
int nearest_of(const void *items, int count, size_t size, size_t at, const struct state *s);
/* How much the states that wait at a block differ, and the one that came last. */
struct contrasts {
    const struct state *of[NARROW_STATES + 1];
    int with[NARROW_STATES + 1][NARROW_STATES + 1]; /* -1: not known */
};
void contrasts_take(struct contrasts *c, int at, const struct state *s); /* it stands there now */

/* The root at hand was run, and paths were joined: runs it again, on some paths alone, and takes
 * over what fails there. */
void narrow_run(struct flow *f, struct code *c, void (*run)(struct flow *, struct code *));

/* pack_call.c. False: every way this call can go raises an error, the path ends here. */
bool run_packed(struct flow *f, const struct frame *fr, struct state *s, ir_value inst,
                const struct pack_function *p, const struct value *args, int count,
                struct value *result);

/* observe.c: by this, a contract is known as that caller's. */
/* Whether the two are one call. */
bool place_is_same(const struct frame_place *x, const struct frame_place *y);
uint64_t contract_key(const struct ir_function *fn, ir_value inst,
                      const struct frame_place *called);

/* buffer.c: raw memory. */
bool is_byte_type(const struct type *type); /* says nothing about elements */
bool is_buffer_type(const struct flow *f, const struct type *type); /* a pointer to raw memory */
struct fact buffer_fact(struct flow *f, const struct state *s, const struct value *v, bool *unknown,
                        const struct step **how);
struct fact buffer_given(const struct flow *f, const struct type *pointer); /* from outside */
/* The pointer as one of that type: what nothing was said of yet is what the type says. */
struct value buffer_claim(const struct flow *f, struct value v, const struct type *pointer);
/* Something of that type is stored there. */
void buffer_stored(struct flow *f, struct state *s, const struct value *at,
                   const struct type *type);
const struct type *element_type(const struct type *type); /* of arrays of arrays, the innermost */
enum dtype dtype_of_type(const struct flow *f, const struct type *type); /* DTYPE_NONE: none */
int dtype_bytes(enum dtype d);
/* What is known of the object as raw memory, beyond its type; NULL: nothing. */
const struct tensor *memory_of(const struct state *s, const struct object *o);

/* pointer_checks.c: what the pointer leads to may have elements of another dtype than its new type
 * says.
 */
void pointer_cast(struct path *p, ir_value n, const struct ir_inst *i, const struct value *v);
/* The instruction reads or writes there, from the host. */
void pointer_touch(struct path *p, ir_value n, const struct ir_inst *i, const struct value *at);

/* lineage.c */
void condition_add(struct flow *f, struct state *s, struct condition c);
/* Those that both begin with. */
const struct condition *condition_common(const struct condition *a, const struct condition *b);
/* The step that stands for made, and for all like it on other paths. */
const struct step *step_at(struct flow *f, const struct frame *fr, const struct step *made);

/* untrained.c: once the root is run, whether what was stepped over had no gradient. */
bool idle_is(const struct flow *f, const struct stepped *s);

/* regions.c: what holds where a root begins, or a thread. */
void ambient_begin(struct flow *f, struct state *s);
/* What held there holds here again. */
void ambient_copy(struct flow *f, struct state *to, const struct state *from);

/* branch.c. False: the branch cannot be taken. */
bool refine(struct flow *f, struct state *s, const struct value *v, bool truth);
struct value compare_values(struct flow *f, enum ir_arith arith, const struct value *x,
                            const struct value *y);

uint64_t key_of(uint64_t a, uint64_t b, uint64_t c);

#endif

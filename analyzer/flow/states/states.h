/* States: what holds on one path, and how states are compared and joined.
 *
 *   state.c         cells and tensors of a state: read, write, drop, prune
 *   page.c          cells are kept in pages that states share until one of them writes
 *   tape.c          the autograd tape of a state
 *   storage.c       which tensors share memory
 *   join.c          the join of values and of states, and widening
 *   exact_join.c    joins that lose nothing
 *   subsume.c       whether one state subsumes another
 *   compare_cache.c where states last differed: most comparisons end there
 *   distance.c      how much a join of two states would lose */
#ifndef ANALYZER_FLOW_STATES_H
#define ANALYZER_FLOW_STATES_H

#include "analyzer/flow/values/values.h"

/* ---- tensors -------------------------------------------------------------------------------- */

struct tensor {
    int id;
    bool unknown; /* came from outside: a parameter nobody fills */
    struct fact fact;
    const struct step *how;
    int storage;                /* the tensor whose memory it is: itself, or what it is a view of */
    bool several;               /* it stands for more than one: what is learnt of one may not hold
                                   of the others */
    const struct step *half;    /* with several: how one of them that can be half was made */
    bool perhaps;               /* it may have memory of its own instead */
    int kin;                    /* those with the same may share memory; 0: its storage's */
    bool detached;              /* it shares memory, but no history */
    uint8_t view;               /* enum tri or 0, no, as are the next two: it is a view */
    uint8_t bound;              /* one that was made while nothing was recorded, so that no recorded
                                   op may write to it */
    uint8_t stale;              /* with bound: that memory was written to since */
    int node;                   /* of the record that made it; 0: none, it is a leaf */
    bool has_grad;              /* a backward has left a gradient here */
    const struct saver *savers; /* who needs it again as it is now */
    const struct step *changed; /* the call that changed it in place last; NULL: none */
};

/* ---- the record of ops that backward goes through ------------------------------------------- */

/* An op that was recorded, by where it stands: one of a later round of a loop takes its place, or,
 * where the earlier one can still be reached, shares it. */
struct tape_node {
    int id;
    const struct step *how;
    const int *inputs; /* the nodes before it; -N: the leaf that is tensor N */
    int input_count;
    bool either; /* it is not known through which of its inputs backward goes: paths were joined, or
                    an operand can be one of several */
    uint8_t saves; /* enum tri, as are the next three: whether it needs something again */
    /* Whether that was given away by a backward before, was changed, or the op cannot be gone back
     * through at all. */
    uint8_t freed, broken, fails;
    enum error_kind kind; /* with fails */
    const char *reason;
    const struct step *changed; /* with broken: the op that did it */
};

struct saver {
    int node;
    bool sure; /* else it may have been another tensor that it saved */
    const struct saver *next;
};

/* ---- states --------------------------------------------------------------------------------- */

struct cell {
    const struct loc *loc;
    struct value value;
};

/* Some slots of a state, in their order; never none. Those of two states may be one page: page.c.
 */
enum { PAGE_CELLS = 8 };
struct page {
    uint64_t owner;           /* the stamp of the state that may write it */
    struct page *moved;       /* while a call is left: where it lies from then on */
    uint64_t frames, objects; /* of the locations, a bit each; others may share it */
    uint64_t names;           /* of the tensors that it leads to, in the same way, */
    bool points;              /* and it may lead to memory: what it says depends on more */
    int count;
    int ids[PAGE_CELLS]; /* of the locations, side by side for whoever looks for one */
    struct cell cells[PAGE_CELLS];
};

struct state {
    LIST(struct page *) pages;    /* by loc->id */
    int cell_count;               /* of all pages */
    uint64_t stamp, *stamps;      /* its own; the last that was given */
    struct arena *arena;          /* that it lies in */
    LIST(struct tensor) tensors;  /* by id */
    LIST(struct tape_node) nodes; /* by id */
    const struct condition *when;
    int conditions;
    bool has_memory; /* some of the tensors may be raw memory */
    bool joined;     /* with blurred: for lack of room */
    bool blurred;    /* it is several, joined because there were too many */
    bool past;       /* behind a call that fails: no run gets here. Never joined to one where runs
                        do, and the first to go where there are too many */
    bool lookup_failed; /* something was looked for and not found. A program that knows that it is
                    there does not ask, so that what comes of NULL here is not told */
    struct arena *kept; /* what nodes and savers point to; outlives every copy */
    const struct step *graded; /* the last backward since a step, on one of the paths; NULL: none */
};

/* A new state in the arena. The counter of stamps is one for all states that ever share anything.
 */
struct state *state_new(struct arena *a, uint64_t *stamps);
/* Shares the slots with s, whose arena must outlive the new state. */
struct state *state_fork(struct arena *a, struct state *s);
/* Shares nothing. */
struct state *state_copy(struct arena *a, const struct state *s);
/* For s, which is not used any more: keeps those slots that were written since no stamp was later
 * than that one. What several states share stays shared. */
struct state *state_move(struct arena *a, const struct state *s, uint64_t since);

/* A place among the slots:
 *   for (struct cursor w = {0}; (slot = cell_at(s, w)); cursor_on(s, &w)) */
struct cursor {
    int page, at;
};
static inline const struct cell *cell_at(const struct state *s, struct cursor w) /* NULL: the end */
{
    return w.page < s->pages.count ? &s->pages.items[w.page]->cells[w.at] : NULL;
}
static inline void cursor_on(const struct state *s, struct cursor *w)
{
    if (++w->at == s->pages.items[w->page]->count)
        *w = (struct cursor){.page = w->page + 1};
}
/* The first slot that is not before l. */
struct cursor state_seek(const struct state *s, const struct loc *l);
/* Another value for a slot; places stay what they are. */
void cell_set(struct arena *a, struct state *s, struct cursor w, struct value v);
/* False: none of its slots is of that object, of that frame. */
bool page_may_hold(const struct page *p, const struct object *o);
bool page_may_be_of(const struct page *p, const void *frame);
/* Goes on to the next slot, from w on, that may be of the object; NULL: none is. */
static inline const struct cell *cell_of(const struct state *s, struct cursor *w,
                                         const struct object *o)
{
    if (!w->page && !w->at && o->root)
        *w = state_seek(s, o->root);
    while (!w->at && w->page < s->pages.count && !page_may_hold(s->pages.items[w->page], o))
        w->page++;
    const struct cell *cell = cell_at(s, *w);
    return cell && cell->loc->id <= o->last_loc ? cell : NULL;
}
static inline bool page_leads(const struct page *p)
{
    return p->names || p->points;
}
/* Both stand at the beginning of one page that they share. */
static inline bool cursor_shares(const struct state *x, struct cursor i, const struct state *y,
                                 struct cursor j)
{
    return !i.at && !j.at && i.page < x->pages.count && j.page < y->pages.count &&
           x->pages.items[i.page] == y->pages.items[j.page];
}
typedef bool page_test(const struct page *, const void *);
typedef bool cell_test(const struct cell *, const void *);
/* Forgets the slots that are gone, of pages that may have some. */
void state_drop_if(struct state *s, page_test *may, cell_test *gone, const void *what);
/* The same of slots of that object. */
void state_drop_of(struct state *s, const struct object *o, cell_test *gone, const void *what);

const struct value *state_get(const struct state *s, const struct loc *l); /* NULL: never written */
void state_put(struct arena *a, struct state *s, const struct loc *l, struct value v);
bool state_zeroed(const struct state *s, const struct loc *l); /* it is below what was zeroed */
bool state_overwritten(
    const struct state *s,
    const struct loc *l); /* it is below what somebody filled, in a way not known */
/* Forgets a location and all below it. */
void state_drop(struct state *s, const struct loc *l);
void state_drop_object(struct state *s, const struct object *o);
void state_drop_frame(struct state *s, const void *frame);
/* Forgets tensors that nothing holds any more, but for those of a value (NULL: none). */
void state_prune(struct state *s, const struct value *but);
struct tensor *state_tensor(const struct state *s, int id); /* NULL: none */
struct tensor *state_tensor_put(struct arena *a, struct state *s, struct tensor t);
/* It is one of these dtypes, on one of these devices; false: it cannot be. One that stands for
 * several stays as it is. */
bool state_tensor_meet(struct arena *a, struct state *s, int id, uint16_t dtypes, uint8_t devices,
                       uint16_t gpus);
/* Where id was made another tensor is about to be: whoever still holds it holds one of the older
 * ones from there, which share a name. */
void state_tensor_age(struct arena *a, struct state *s, int id, int older);
/* storage.c: whose memory it is, and who may share it. */
static inline int tensor_storage(const struct tensor *t)
{
    return t->storage ? t->storage : t->id;
}
static inline int tensor_kin(const struct tensor *t)
{
    return t->kin ? t->kin : tensor_storage(t);
}
/* The degree that one says and the other does; true: it changed. */
bool degree_join(uint8_t *to, uint8_t from);
enum tri tensor_shares(const struct tensor *x, const struct tensor *y);
bool state_join_kin(struct state *s, int a, int b); /* true: they were not kin */
bool tensor_join_memory(struct state *into, struct tensor *to, const struct tensor *t);
/* The memory of the tensors made as id is that of an older one. */
void state_memory_age(struct state *s, int id, int older);

struct tape_node *state_node(const struct state *s, int id); /* NULL: none */
struct tape_node *state_node_put(struct arena *a, struct state *s, struct tape_node n);
/* Forgets nodes that no tensor leads to. */
void state_prune_nodes(struct state *s);
/* What holds of either; true if something was added. Tensors come after nodes. */
bool state_join_nodes(struct arena *a, struct state *into, const struct state *s);
bool tensor_join_tape(struct arena *a, struct state *into, struct tensor *to,
                      const struct tensor *t);
bool state_subsumes_tape(const struct state *x, const struct state *y);
/* What a tensor value can be, over its names. */
struct fact state_fact(const struct state *s, const struct value *v, bool *unknown,
                       const struct step **how);

struct value value_join(struct arena *a, struct state *s, const struct value *x,
                        const struct value *y);
/* into becomes what holds of either. True if it changed. */
bool state_join(struct arena *a, struct state *into, const struct state *s, bool widen);
/* The same of states that may stand for paths that exclude each other: facts are combined that no
 * path has. True: it may be so, they differ in more than counts. */
bool state_mix(struct state *into, const struct state *s);
/* Both, where there is no room to keep them apart. */
bool state_join_for_room(struct arena *a, struct state *into, const struct state *s, bool widen);
/* exact_join.c: the same if they differ in the number there and in nothing else, and if the two
 * numbers can be one that is nothing else. False: they are left as they are. */
bool state_join_exactly(struct arena *a, struct state *into, const struct state *s,
                        const struct loc *at);
/* Both have been here: only what both had to meet is left. */
void state_join_conditions(struct state *into, const struct state *s);
/* What a location holds that a state has not written, where another wrote that value: what it was
 * before the program, zero, or nothing that anybody may read. */
struct value state_unwritten(const struct state *s, const struct loc *l, const struct value *other);
/* page.c: in which tensors the two states may say something else; asked for when it matters. */
struct difference {
    bool known;
    uint64_t names; /* a bit each, as in pages */
};
/* A page that both share says the same in both. */
bool page_says_the_same(const struct page *p, const struct state *x, const struct state *y,
                        struct difference *d);
/* Whether x holds all that y can be: y has nothing to add but shapes and who shares memory, which
 * keep no paths apart. */
bool state_subsumes(const struct state *x, const struct state *y);
/* Which of these are so. */
enum { STATE_SUBSUMES = 1, STATE_IS_SUBSUMED = 2 };
/* For each that is not: the location that said no; NULL: none alone did. */
struct first_difference {
    const struct loc *at[2];
};
unsigned state_compare(const struct state *x, const struct state *y, unsigned asked,
                       struct first_difference *difference); /* NULL: nobody wants to know */
/* What is still so after a look at one location. NULL: that state has not written it; one has. */
unsigned state_compare_at(const struct state *x, const struct value *a, const struct state *y,
                          const struct value *b, const struct loc *l, unsigned asked);

/* compare_cache.c: where the last state that came was told from one that waits, and what that holds
 * there; by what was asked. */
struct compare_cache {
    const struct loc *at[2]; /* NULL: nowhere yet */
    bool is_known[2], is_written[2];
    struct value values[2];
};
struct incoming {
    struct state *state;
    unsigned is;          /* of the last comparison: bits STATE_ */
    const struct loc *at; /* where it was looked at last, and its value there */
    const struct value *value;
};
/* As state_compare of both, x being the one that waits. */
unsigned compare_cached(struct compare_cache *t, const struct state *x, struct incoming *coming);
void compare_cache_clear(struct compare_cache *t); /* the state that waits has changed */
/* Shapes in which they differ are no longer known, and who shares memory in either may share it.
 * True: there were some. */
bool state_blur_shapes(struct state *into, const struct state *s);
bool value_subsumes(const struct state *x, const struct value *a, const struct state *y,
                    const struct value *b);
/* How much joining would blur: 0 nothing, below DISTANCE_POINTER numbers only, from DISTANCE_TENSOR
 * on what tensors are. */
enum { DISTANCE_CHOICE = 20, DISTANCE_POINTER = 1000, DISTANCE_TENSOR = 100000 };
/* From most on it is not known how much more. */
int state_distance(const struct state *x, const struct state *y, int most);
/* What a state is worth keeping apart for, beside another: tensors before what chooses them, and
 * that before functions, places and counts. */
int state_contrast(const struct state *x, const struct state *y, int most); /* as above */
/* Whether they differ at most in numbers, and only in counts and those at places that are in. */
bool state_differs_in_counts(const struct state *x, const struct state *y,
                             bool (*in)(const struct loc *, const void *), const void *what);
/* Whether they differ at most in numbers, and only in those at places that are in. apart: a
 * location to look at first, then the one that said no. */
bool state_differs_in(const struct state *x, const struct state *y,
                      bool (*in)(const struct loc *, const void *), const void *what,
                      const struct loc **difference);

#endif

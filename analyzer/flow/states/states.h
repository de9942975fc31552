/* States: what holds on one path, and how states are compared and joined.
 *
 *   state.c         a state: cells dropped, tensors renamed and pruned
 *   tensor.c        tensors of a state: read, write, meet
 *   page.c          cells are kept in pages that states share until one of them writes
 *   box.c           so are tensors and nodes of the tape
 *   tape.c          the autograd tape of a state
 *   tape_reach.c    which nodes of it are reached, by conditions
 *   tape_sweep.c    a walk back through it, by conditions
 *   storage.c       which tensors share memory
 *   guard.c         what is one of several, by a condition: cells, tensors, nodes of the tape
 *   guard.h         the tables of what that can be
 *   guard_leaf.c    the same: each value, tensor and node once
 *   varies.c        whether each iteration decides anew which of several a tensor is
 *   case.c          an instruction run once for each case of what it reads
 *   learn.c         what branches teach about unknown numbers and pointers
 *   computed.c      conditions on unknown numbers, and on what they were computed from
 *   null_case.c     whether a case in which something is NULL is one that arises
 *   path_bound.c    the condition under which runs are in a state, within a size
 *   path_forget.c   the same without what cannot be asked about again
 *   merge.c         two states become one that stands for both and loses nothing
 *   branches.c      the branches that runs took, of all and of some of them
 *   loop.h          the head of a loop, and an iteration that comes back to it
 *   loop_changes.c  which places the iteration changed
 *   loop_elements.c elements of arrays that iterations fill one by one
 *   loop_widen.c    which of them become a range or anything at once
 *   ways.c          which of them are, together, one of several ways
 *   loop_kin.c      which tensors may share memory, in all iterations together
 *   loop_late.c     places that were found too late to belong together
 *   loop_plain.c    what is left of a value once its iteration is over
 *   loop_runs.c     runs that differ in what they ask in the loop
 *   loop_text.c     texts that iterations found, and what was set by comparing them
 *   loop_held.c     where there are tensors that iterations, or instances of a recursion, make
 *   loop_groups.c   which places that an iteration changed belong together
 *   loop_range.c    ranges of elements that an iteration changed
 *   loop_tape.c     the autograd tape, of all iterations together
 *   visited.c       loops over the elements of an array
 *   join.c          the join of values and of states, and widening
 *   exact_join.c    joins that lose nothing
 *   step_choice.c   lineage that is one of several
 *   subsume.c       whether one state subsumes another
 *   compare_cache.c where states last differed: most comparisons end there
 *   distance.c      how much a join of two states would lose */
#ifndef ANALYZER_FLOW_STATES_H
#define ANALYZER_FLOW_STATES_H

#include "analyzer/flow/values/values.h"

/* ---- tensors --------------------------------------------------------------------------------- */

/* It is not known whose. */
enum { HISTORY_OPEN = -1 };

struct tensor {
    int id;
    bool unknown;  /* it came from outside: a parameter of a root */
    bool is_plain; /* another one of its dtype and device can take its place: nothing is recorded */
    struct fact fact;
    const struct step *how;
    int storage;  /* the tensor whose memory it uses: itself, or the base of a view */
    bool several; /* it stands for several tensors: what is learned of one may not hold for the
                     others */
    const struct step *half;    /* with several: how one of them that can be f16 or bf16 was made */
    bool perhaps;               /* it may have memory of its own instead */
    int kin;                    /* tensors of the same kin may share memory; 0: its storage's */
    bool exposed;               /* others can write to its memory: its range is not known */
    bool detached;              /* it shares memory but no autograd history */
    int history;                /* whose autograd history views of a detached one share: its, or
                                   HISTORY_OPEN; 0: its storage's */
    uint8_t view;               /* enum tri, 0 is no, as are the next two: it is a view */
    uint8_t bound;              /* a view made in no-grad mode: no recorded op may write to it */
    uint8_t stale;              /* with bound: its memory was written to since */
    int node;                   /* the tape node that made it; 0: none, it is a leaf */
    bool has_grad;              /* backward has left a gradient here */
    bool is_absent;             /* there is none, in this case, and nothing that is it */
    bool is_ungraded;           /* none has, nor the program: it surely has no gradient */
    bool is_cleared;            /* it surely has none, or zeros: it was cleared */
    bool is_used;               /* a step may have used its gradient, which was not cleared since */
    bool is_piled;              /* a backward may have added to one that was used */
    bool is_inference;          /* surely made in inference mode: it cannot be saved for backward */
    const struct saver *savers; /* nodes that saved its current contents */
    const struct step *changed; /* the last call that changed it in place; NULL: none */
    const char *class;          /* in a dynamic language; NULL: the first that packs have */
    diagram cases; /* it is one of several, by a condition, which the rest summarises; 0: it is not
                    */
};

/* A tensor of a state. As a page, it is shared by states until one of them writes: box.c. */
struct tensor_box {
    uint64_t owner;           /* the stamp of the only state that may write it */
    struct tensor_box *moved; /* while a call returns: its new address */
    struct tensor tensor;
};
struct tensor_slot {
    int id; /* of the tensor, next to those of others for searching */
    struct tensor_box *box;
};

/* ---- tape ------------------------------------------------------------------------------------ */

/* A recorded op, by its place in the program: in a later iteration of a loop it is replaced or,
 * where the earlier one is still reachable, joined. */
struct tape_node {
    int id;
    const struct step *how;
    const int *inputs; /* the nodes before it; -N: the leaf with the name N */
    int input_count;
    bool either;   /* it is not known which of its inputs backward goes through: states were joined,
                      or an operand can be one of several */
    bool writes;   /* the op changes an operand: what has this node is no view of its input */
    uint8_t saves; /* enum tri, as are the next three: whether it saved anything for backward */
    /* Whether what it saved was freed by an earlier backward, was changed, or the op has no
     * backward. */
    uint8_t freed, broken, fails;
    enum error_kind kind; /* with fails */
    const char *reason;
    const struct step *changed; /* with broken: the op that changed it */
    /* The call that freed it, on all paths on which it is freed; NULL: none, or several. */
    const struct ir_function *freed_in;
    ir_value freed_at;
    diagram cases; /* as those of a tensor */
};

/* As those of tensors. */
struct node_box {
    uint64_t owner;
    struct node_box *moved;
    struct tape_node node;
};
struct node_slot {
    int id;
    struct node_box *box;
};

struct saver {
    int node;
    bool sure; /* else it may have saved another tensor */
    const struct saver *next;
};

/* ---- states ---------------------------------------------------------------------------------- */

struct cell {
    const struct loc *loc;
    struct value value;
};
typedef LIST(struct cell) cell_list;

/* Some cells of a state, in order; never empty. States may share it: page.c. */
enum { PAGE_CELLS = 8, PAGE_NAMED = 12 };
struct page {
    uint64_t owner;           /* the stamp of the only state that may write it */
    struct page *moved;       /* while a call returns: its new address */
    uint64_t frames, objects; /* of the locations, hashed to a bit each */
    uint64_t names;           /* of the tensors that cells refer to, in the same way */
    uint64_t targets;         /* and of the objects that they point into */
    bool asks;                /* cells may hold answers that depend on tensors */
    bool points;      /* cells may point to raw memory, so that their meaning depends on more */
    bool has_unknown; /* cells may depend on unknown numbers, or point to texts of such */
    bool has_named;   /* `named` was collected, and nothing was written since */
    uint8_t named_count;
    int named[PAGE_NAMED]; /* the tensors that cells refer to, if they are few */
    int count;
    int ids[PAGE_CELLS]; /* of the locations, contiguous for searching */
    struct cell cells[PAGE_CELLS];
};

struct state {
    LIST(struct page *) pages;         /* by loc->id */
    int cell_count;                    /* over all pages */
    uint64_t stamp, *stamps;           /* its own; the last one given out */
    struct arena *arena;               /* that it is allocated in */
    LIST(struct tensor_slot) tensors;  /* by id; written only through state_tensor_write */
    LIST(struct node_slot) nodes;      /* by id; the same with state_node_write */
    bool shares_tensors, shares_nodes; /* the lists, with another state: copied before they are
                                          written */
    bool is_pruned;                    /* nothing was changed since that could be dropped */
    bool is_tape_pruned;               /* the same of nodes: none was added, or led to before */
    bool is_tape_cut; /* a node may no longer lead to others where it did, by conditions */
    const struct condition *when;
    int conditions;
    const struct junction *junctions; /* where it was merged; NULL: nowhere */
    const struct junction *missing;   /* the same, before a call of missing code; NULL: none */
    struct guards *guards;            /* conditions and leaves, of the root */
    diagram path;                     /* the condition under which runs are here */
    int path_size;                    /* when something was last forgotten of it: path_forget.c */
    struct cases *cases;              /* while an instruction is run by cases; else NULL */
    bool guarded;                     /* something in it may be */
    bool has_memory;                  /* some of the tensors may be raw memory */
    bool joined;                      /* with blurred: for lack of room */
    bool blurred; /* it was joined from states of paths that may exclude each other */
    bool split;   /* what a loop changes together was taken apart for lack of room */
    bool past; /* past an error: no run gets here. Never joined with a state that runs get to, and
                  the first to be dropped for lack of room */
    bool ends; /* a contract did not hold: others that follow at once are checked as if it did, and
                  then the path ends, or goes on past the error */
    bool lookup_failed; /* a lookup returned nothing. Programs that know the key exists do not
                           check, so failures caused by that NULL are not reported */
    struct arena *kept; /* what nodes and savers point to; outlives every copy */
    const struct step
        *graded; /* the last backward since an optimizer step, on one of the paths; NULL: none */
};

/* A new state in the arena. All states that ever share pages use one counter of stamps. */
struct state *state_new(struct arena *a, uint64_t *stamps, struct guards *guards);
/* Shares its pages, tensors and nodes with s, whose arena must outlive the new state. */
struct state *state_fork(struct arena *a, struct state *s);
/* From now on it writes to nothing that it has: what it changes has a later stamp. */
void state_disown(struct state *s);
/* Shares nothing. */
struct state *state_copy(struct arena *a, const struct state *s);
/* For s, which is not used any more: copies only the pages written after `since`. What several
 * states share remains shared. */
struct state *state_move(struct arena *a, const struct state *s, uint64_t since);

/* box.c: the boxes of a state whose lists are its own: all, or those written after `since`. */
void boxes_copy(struct arena *a, struct state *s);
void boxes_move(struct arena *a, struct state *s, uint64_t since);

/* A position in the cells:
 *   for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w)) */
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
/* The first cell that is not before l. */
struct cursor state_seek(const struct state *s, const struct loc *l);
/* Replaces the value of a cell; cursors remain valid. */
void cell_set(struct arena *a, struct state *s, struct cursor w, struct value v);
/* False: none of its cells is of that object, of that frame. */
bool page_may_hold(const struct page *p, const struct object *o);
/* False: none of its cells names that tensor, or depends on it. */
bool page_may_name(const struct page *p, int tensor);
/* Advances to the next cell that may be of the object; NULL: there is none. */
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
/* The bit of an object among those that cells point into. */
static inline uint64_t target_bit(const struct object *o)
{
    return (uint64_t)1 << ((unsigned)o->id * 0x9e3779b1u >> 26);
}
static inline bool page_leads(const struct page *p)
{
    return p->names || p->points;
}
/* Both are at the beginning of a page that they share. */
static inline bool cursor_shares(const struct state *x, struct cursor i, const struct state *y,
                                 struct cursor j)
{
    return !i.at && !j.at && i.page < x->pages.count && j.page < y->pages.count &&
           x->pages.items[i.page] == y->pages.items[j.page];
}
/* Two states walked in parallel: the cells of both at each location, in order. Pages that they
 * share are skipped. */
struct cell_pair {
    const struct state *x, *y;
    struct cursor i, j;
    const struct cell *a, *b; /* NULL: it has none there */
};
bool next_cell_pair(struct cell_pair *w); /* false: both have ended */
typedef bool page_test(const struct page *, const void *);
typedef bool cell_test(const struct cell *, const void *);
/* Drops the cells for which `gone` holds, in pages for which `may` holds. */
void state_drop_if(struct state *s, page_test *may, cell_test *gone, const void *what);
/* The same, in pages that may hold cells of a frame. */
void state_drop_of_frame(struct state *s, const void *frame, cell_test *gone, const void *what);
/* The same, in cells of one object. */
void state_drop_of(struct state *s, const struct object *o, cell_test *gone, const void *what);

/* The value of a location; NULL: never written. One of several only if the path allows more than
 * one, and no instruction is run by cases. */
const struct value *state_get(const struct state *s, const struct loc *l);
const struct value *state_get_guarded(const struct state *s, const struct loc *l); /* as it is */
void state_put(struct arena *a, struct state *s, const struct loc *l, struct value v);
bool state_zeroed(const struct state *s,
                  const struct loc *l); /* it is below a location that was zeroed */
bool state_overwritten(
    const struct state *s,
    const struct loc *l); /* it is below a location that was overwritten with unknown contents */
/* Drops a location and everything below it. */
void state_drop(struct state *s, const struct loc *l);
void state_drop_object(struct state *s, const struct object *o);
void state_drop_frame(struct state *s, const void *frame);
/* Drops tensors that nothing refers to, except those of a value (NULL: none). */
void state_prune(struct state *s, const struct value *but);
/* The index of the first tensor with that name or a later one. */
static inline int state_tensor_from(const struct state *s, int id)
{
    int low = 0, high = s->tensors.count;
    while (low < high) {
        int mid = (low + high) / 2;
        if (s->tensors.items[mid].id < id)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}
const struct tensor *state_tensor(const struct state *s, int id); /* NULL: none */
/* The same by its index. */
const struct tensor *state_tensor_at(const struct state *s, int i);
/* The same, even if it is one of several. */
static inline const struct tensor *state_tensor_raw(const struct state *s, int i)
{
    return &s->tensors.items[i].box->tensor;
}
/* A node may be reached through it. */
static inline bool tensor_leads_to_tape(const struct tensor *t)
{
    return t->node || t->cases;
}
/* To be changed. */
struct tensor_slot *state_tensors_own(struct state *s);    /* the list */
struct tensor *state_tensor_write(struct state *s, int i); /* as raw */
struct tensor *state_tensor_own(struct state *s, int id);  /* NULL: none */
struct tensor *state_tensor_own_at(struct state *s, int i);
/* Drops those that are not to be kept, by index. */
void state_tensors_keep(struct state *s, const bool *kept);
struct tensor *state_tensor_put(struct arena *a, struct state *s, struct tensor t);
/* Restricts it to these dtypes and devices; false: then nothing is left. One that stands for
 * several is left as it is. */
bool state_tensor_meet(struct arena *a, struct state *s, int id, dtype_set dtypes, uint8_t devices,
                       uint16_t gpus);
/* Whether another tensor or the tape may refer to it. */
bool state_is_entangled(const struct state *s, int id);
/* The condition under which a value is it, or asks about it; everywhere if another tensor or the
 * tape may refer to it. */
diagram state_where_held(const struct state *s, int id);
/* Whether a value, another tensor or the tape refers to it. */
bool state_refers_to(const struct state *s, int id);
/* Another tensor is about to be made where id was: who still refers to id now refers to the
 * older ones from there, which share a name. held: who is not in the state refers to id, too. */
void state_tensor_age(struct arena *a, struct state *s, int id, int older, bool held);
/* More tensors than a value can hold: one with a name of its own stands for all, with the join of
 * their facts. The others remain; a write to it may be a write to any of them. */
static inline int tensor_folded_name(int last)
{
    return last | 1 << 30;
}
static inline bool tensor_is_folded(int id)
{
    return id & 1 << 30;
}
/* Of the tensors that the value can be; names are kept sorted. True if id was among them. */
bool value_rename_tensor(struct value *v, int id, int to);
/* storage.c: whose memory it uses, and which tensors may share it. */
static inline int tensor_storage(const struct tensor *t)
{
    return t->storage ? t->storage : t->id;
}
static inline int tensor_kin(const struct tensor *t)
{
    return t->kin ? t->kin : tensor_storage(t);
}
/* Joins `enum tri or 0`; true: it changed. */
bool degree_join(uint8_t *to, uint8_t from);
enum tri tensor_shares(const struct tensor *x, const struct tensor *y);
enum tri tensor_shares_history(const struct tensor *x, const struct tensor *y);
bool state_join_kin(struct state *s, int a, int b); /* true: they were not kin */
bool tensor_join_memory(struct state *into, struct tensor *to, const struct tensor *t);
/* The memory of older tensors made where id was. */
void state_memory_age(struct state *s, int id, int older);

/* By its index, even if it is one of several. */
static inline const struct tape_node *state_node_raw(const struct state *s, int i)
{
    return &s->nodes.items[i].box->node;
}
/* The index of the first node with that name or a later one. */
int state_node_from(const struct state *s, int id);
/* To be changed: the list; by its index, as raw; by its name, NULL: none. */
struct node_slot *state_nodes_own(struct state *s);
struct tape_node *state_node_write(struct state *s, int i);
struct tape_node *state_node(struct state *s, int id);
/* To be read; NULL: none. */
const struct tape_node *state_node_seen(struct state *s, int id);
/* The leaf that the history of a view of views begins at; 0: none, or several. */
int tape_leaf(struct state *s, const struct tensor *view);
struct tape_node *state_node_put(struct arena *a, struct state *s, struct tape_node n);
bool state_has_node(const struct state *s, int id);
/* Another node is about to be recorded where id was: it becomes one of the older ones. */
void state_node_age(struct arena *a, struct state *s, int id, int older);
/* Drops those that are not to be kept, by index; their savers forget them. */
void state_nodes_keep(struct state *s, const bool *kept);
/* Drops nodes that are not reachable from any tensor. */
void state_prune_nodes(struct state *s);
/* tape_reach.c: and those that are reachable from none under any condition, once all that is held
 * is in cells or in a value (NULL: none). */
void state_prune_cut(struct state *s, const struct value *but);
/* tape_sweep.c: what a walk back through the tape visits, on the runs at hand. */
struct swept {
    int id;
    diagram where, sure; /* where it may be visited, and where it surely is */
};
struct sweep {
    LIST(struct swept) nodes, leaves; /* leaves by the names of their tensors */
};
typedef bool sweep_test(const struct tape_node *);
/* False: a node that is visited does not pass the test, or the conditions become too large. */
bool tape_sweep(struct arena *a, struct state *s, int node, sweep_test *test, struct sweep *out);
/* Changes it where the condition holds, whichever of several it is there. */
void state_node_change(struct state *s, int id, diagram where,
                       bool (*change)(struct tape_node *, void *), void *what);
void state_tensor_change(struct state *s, int id, diagram where,
                         bool (*change)(struct tensor *, void *), void *what);
/* Joins; true if something was added. Tensors are joined after nodes. */
bool state_join_nodes(struct arena *a, struct state *into, const struct state *s);
/* The nodes that saved either; true: to has others now. */
bool tensor_join_savers(struct arena *a, struct tensor *to, const struct tensor *t);
/* The inputs of either; true: to has others now. */
bool node_join_inputs(struct arena *a, struct tape_node *to, const struct tape_node *n);
/* loop_tape.c: a tensor or a node at the head of a loop and in an iteration. Both get the savers,
 * or the inputs, of all that they can be. */
void tensors_share_savers(struct arena *a, const struct state *head, struct tensor *x,
                          const struct state *s, struct tensor *y);
void nodes_share_inputs(struct arena *a, const struct state *head, struct tape_node *x,
                        const struct state *s, struct tape_node *y);
bool tensor_join_tape(struct arena *a, struct state *into, struct tensor *to,
                      const struct tensor *t);
bool state_subsumes_tape(const struct state *x, const struct state *y);
/* The join of the facts of all tensors that the value can be. */
struct fact state_fact(const struct state *s, const struct value *v, bool *unknown,
                       const struct step **how);

/* guard.c: values, tensors and nodes that are one of several, by conditions. A state stands for
 * many runs; in a run, each term has one value, which leads to one leaf of every guarded cell. */
struct guards;
/* lineage: the arena of steps, which outlive the guards. */
struct guards *guards_new(struct arena *a, struct arena *lineage, bool is_dynamic);
/* An instruction that is run once per case of what it reads: reading narrows `care` to one leaf,
 * and adds what it leaves out to `rest`. */
enum { MAX_CASES = 192, MAX_SPLITS = 16 };
struct cases {
    diagram path; /* that of the state */
    diagram care; /* on the path, as are those that are left */
    diagram rest[MAX_CASES];
    int left; /* at most MAX_SPLITS: what is read then is joined */
    int count;
    bool is_cut;  /* something was, in the case at hand */
    bool was_cut; /* in one before */
};
/* The first case, and the next one; false: there is none. The state is blurred once there are too
 * many: what is read then is joined. */
struct cases cases_begin(const struct state *s);
bool cases_next(struct cases *k, struct state *s);
/* Facts of paths that exclude each other may have been combined, before or in the case at hand. */
static inline bool state_is_blurred(const struct state *s)
{
    return s->blurred || (s->cases && s->cases->is_cut);
}
/* What was read so far holds in some of the runs only. */
static inline bool case_is_one_of(const struct state *s)
{
    return s->cases && s->cases->care != DIAGRAM_YES;
}
/* Ends the case in a state that was forked for it: what was only read is again one of several. */
void cases_end(struct state *s, const struct state *before, const struct cases *k);
/* Whether the condition holds: on the path or, with cases, in the one that is run, which becomes
 * that where it does. */
bool case_holds(const struct state *s, diagram where);
/* null_case.c: of a case in which a value is NULL, whether the program may know that it does not
 * arise. */
bool case_is_doubtful(const struct state *s);
/* The value as far as it is decided: by the path, or by the case that is run. */
const struct value *guard_read(const struct state *s, const struct value *v);
const struct tensor *guard_read_tensor(const struct state *s, const struct tensor *t);
void guard_read_node(const struct state *s, struct tape_node *n);
/* The value of a cell, read. */
static inline const struct value *cell_read(const struct state *s, const struct cell *cell)
{
    return cell->value.kind == VALUE_GUARDED ? guard_read(s, &cell->value) : &cell->value;
}
/* All that it can be on the path; what is not guarded is one. Valid until the arena is freed. */
typedef LIST(const struct value *) value_list;
value_list guard_values(struct arena *a, const struct state *s, const struct value *v);
typedef LIST(const struct tensor *) tensor_list;
tensor_list guard_tensors(struct arena *a, const struct state *s, const struct tensor *t);
typedef LIST(const struct tape_node *) node_list;
node_list guard_nodes(struct arena *a, const struct state *s, const struct tape_node *n);
/* Its diagram, and what a diagram stands for. */
diagram guard_cases(const struct state *s, const struct value *v);
struct value guard_value(const struct state *s, diagram cases);
diagram guard_tensor_cases(const struct state *s, const struct tensor *t);
struct tensor guard_tensor(const struct state *s, diagram cases);
/* One that stands for all of both. */
struct tensor guard_join_tensors(const struct state *s, diagram x, diagram y);
diagram guard_node_cases(const struct state *s, const struct tape_node *n);
struct tape_node guard_node(const struct state *s, diagram cases);
/* Each of them changed in the same way. */
/* On any path: the tensors that a guarded value can be, the nodes that can have made a tensor, and
 * the inputs that a node can have. */
struct name_list {
    int *items;
    int count, room;
};
const struct name_list *guard_names(const struct state *s, const struct value *v);
const struct name_list *guard_makers(const struct state *s, const struct tensor *t);
/* Whether an operation saved it for backward, in some case. */
bool guard_has_savers(const struct state *s, const struct tensor *t);
const struct name_list *guard_inputs(const struct state *s, const struct tape_node *n);
/* False: on no path is a guarded value the tensor, or an answer about it. */
bool guard_may_mention(const struct state *s, const struct value *v, int id);
/* Whether all that it can be are integers; all of them as one value, which says no longer under
 * which condition it is which. */
bool guard_is_number(const struct state *s, const struct value *v);
struct value guard_union(const struct state *s, const struct value *v);
struct value guard_map(const struct state *s, const struct value *v,
                       bool (*change)(struct value *, const void *), const void *what);
/* The same of tensors and nodes. */
struct tensor guard_map_tensor(const struct state *s, const struct tensor *t,
                               bool (*change)(struct tensor *, void *), void *what);
struct tape_node guard_map_node(const struct state *s, const struct tape_node *n,
                                bool (*change)(struct tape_node *, void *), void *what);
/* All leaves, also those that no run on the path has; none: they are too many. */
value_list guard_leaves(struct arena *a, const struct state *s, const struct value *v);
/* Whether the test holds for one of them, or there are too many to know. */
bool guard_may_be(const struct state *s, const struct value *v,
                  bool (*test)(const struct value *, const void *), const void *what);
/* Whether the test holds for one that it can be on the path. */
bool guard_any(const struct state *s, const struct value *v,
               bool (*test)(const struct value *, const void *), const void *what);
/* The condition under which it does. */
diagram guard_where(const struct state *s, const struct value *v,
                    bool (*test)(const struct value *, const void *), const void *what);
/* v, with another value in place of one that it can be. */
struct value guard_with(const struct state *s, const struct value *v, const struct value *of,
                        const struct value *by);
/* x where the condition holds, else y; on the path. */
/* One of them, whichever: an unknown of its own. */
struct value guard_one_of(struct state *s, const value_list *values);
struct value guard_choose(const struct state *s, diagram condition, const struct value *x,
                          const struct value *y);
struct tensor guard_choose_tensor(const struct state *s, diagram condition, const struct tensor *x,
                                  const struct tensor *y);
struct tape_node guard_choose_node(const struct state *s, diagram condition,
                                   const struct tape_node *x, const struct tape_node *y);
/* The value that a leaf of its diagram is. */
const struct value *guard_leaf(const struct guards *g, struct leaf leaf);
/* That the initial value of a location is in this set. */
diagram guard_initial(struct guards *g, const struct loc *l, const struct value *v);
/* computed.c: the same of a range. */
diagram initial_within(struct conditions *c, const struct loc *l, struct domain range);
/* That a number divides it. */
diagram remainder_is_zero(struct conditions *c, const struct loc *l, int64_t by);
/* That the text with this key is the literal of that number; text: where it is, NULL: not by its
 * place. */
diagram literal_is(struct conditions *c, const struct loc *text, const uint64_t *key, int count,
                   int64_t literal);
/* Of an initial value that is one of a few numbers: the one that it is in the case that is run. */
struct value guard_exact(const struct state *s, const struct value *v);
/* An initial value without the numbers that branches have excluded, if few are left. */
struct value guard_few(const struct state *s, const struct value *v);
/* A truth value that is kept: it holds under the condition that its test stands for, if that is one
 * on an initial value; else it is as it was. */
diagram guard_holds(const struct state *s, const struct value *v); /* DIAGRAM_NONE: not one */
struct value guard_truth(const struct state *s, const struct value *v);
/* Whether a pointer that is the same in all of a run is null becomes one, too. */
bool guard_learn_null(struct state *s, const struct value *pointer, bool is_null);
/* That it compares so with a number becomes a condition of the path. False: no run is there. */
bool guard_learn(struct state *s, const struct loc *l, enum ir_arith arith, int64_t n);
bool guard_learn_not(struct state *s, const struct loc *l, struct domain range); /* it is outside */
/* A condition of its own, which nothing else decides. */
diagram guard_new_choice(struct guards *g);
/* The sides of a branch or switch, NULL where no run goes: which of them a run takes becomes an
 * unknown of all paths, unless what they learned decides it. */
void guard_separate(struct state *const *states, int count, struct guards *g);
/* Whether the value depends on unknowns, made when there were so many terms or more, that are
 * others each time the code is run. */
bool guard_depends_on_new(const struct state *s, const struct value *v, int terms);
/* The same of a condition. */
bool guards_depend_on_new(struct guards *g, diagram d, int terms);
/* varies.c: whether the dtype or device of one of several tensors was decided by what is another
 * one each time the code is run: by an iteration, or by a call in it. */
bool guard_varies(const struct state *s, const struct value *v);
/* When one of the two holds; when both do; whether both can hold at once. */
diagram guards_either(struct guards *g, diagram a, diagram b);
diagram guards_both(struct guards *g, diagram a, diagram b);
bool guards_meet(struct guards *g, diagram a, diagram b);
/* The conditions of the root. */
struct conditions *guard_conditions(struct guards *g);
/* Whether all conditions together are more than is worth it; a part of that, from which on what is
 * past an error is given up. */
bool guards_are_too_large(const struct guards *g);
bool guards_are_large(const struct guards *g);
/* What may still be added to them, of what a root may have. A part of the code may have a share of
 * that: what was in force before is returned, for its end. */
struct guards_share {
    int nodes, runs; /* that there were before it */
    int64_t visits;
    double most;
};
double guards_left(const struct guards *g);
double guards_most(const struct guards *g); /* that it had where the share began */
struct guards_share guards_share_begin(struct guards *g, double most);
/* is_dropped: nothing that was made since is used, and it does not count for what is around it. */
void guards_share_end(struct guards *g, struct guards_share outer, bool is_dropped);
/* Conditions that are made between the two only say which branches led to something: they have as
 * much room of their own, so that what is known does not depend on how much there is to explain.
 * False: that is spent. */
struct condition_count {
    int nodes, runs;
};
bool guards_explain_begin(struct guards *g, struct condition_count *before);
void guards_explain_end(struct guards *g, const struct condition_count *before);
/* How often something was dropped for its size, so far. */
int guards_dropped(const struct guards *g);
/* What lives as long as the guards do, what lineage lives in, and the branches taken that are
 * known. */
struct arena *guards_arena(const struct guards *g);
struct arena *guards_lineage(const struct guards *g);
/* By term: whether the diagram depends on it. Valid until the next call. */
const bool *guards_mark(struct guards *g, diagram d);
struct memo *guards_taken(const struct guards *g);

/* branches.c: the condition, of which there is one with these contents. */
const struct condition *condition_known(struct arena *a, struct guards *g,
                                        const struct condition *c);
/* `into`, which the runs of both are in, keeps the branches that all of them took. The
 * condition under which a run is one of those of `into` says which others it took. */
void state_merge_branches(struct state *into, const struct state *s, diagram first);
/* The branches that all runs took that are in the state or, while an instruction is run by cases,
 * in the case at hand. New ones are made in the arena. */
const struct condition *state_when(struct arena *a, const struct state *s);
/* The same without those that iterations of loops took which are over. */
const struct condition *state_when_outside_loops(struct arena *a, const struct state *s);
/* step_choice.c: the runs in the state, or in the case at hand; the lineage that holds for some of
 * the runs, which become these; for some of the state's. */
diagram state_runs(const struct state *s);
const struct step *step_in_runs(const struct state *s, const struct step *how, diagram *runs);
const struct step *state_step(const struct state *s, const struct step *how);
/* Of an iteration of a loop, or of those before: what runs for which the condition holds took since
 * they entered it. For each way that something is at the head, by the unknown that decides it: what
 * led to that. */
struct ways;
const struct condition *state_taken_in_loop(const struct state *head, const struct state *s,
                                            const struct ways *of, diagram care);
void state_note_loop(struct state *head, const struct ways *of, term_id choice,
                     const struct condition *const *taken, int count);
/* What a loop changes together was taken apart for lack of room, and this is which of its ways one
 * place is. Whether the case at hand combines several such: no run may have them together. */
void guards_note_part(struct guards *g, term_id choice, const struct ways *of);
bool case_combines_parts(const struct state *s);
/* Whether only runs of one side of a branch before a call of missing code are in the case at hand:
 * that side may always end there. */
bool state_may_be_missing(const struct state *s);

/* path_bound.c: the path, or a weaker one that is not too large; x, and y unless it is NULL, hold
 * what may depend on it. Where that may be lost, x is blurred. */
diagram path_within_bound(struct conditions *c, struct state *x, const struct state *y,
                          diagram path);

/* path_forget.c: values that are in use outside of the state. */
struct in_use {
    const struct value *values;
    int count;
    const struct in_use *others; /* NULL: none */
};
/* Where it is kept which there are; NULL: none. */
const struct in_use **guards_in_use(struct guards *g);
/* If the path is large: unknown numbers that no place holds any more are forgotten, the path says
 * no more about them and what was learned of them is dropped. */
void state_forget(struct state *s);
/* The paths of both without such numbers that neither holds, so that they do not differ in these.
 */
void paths_forget(const struct state *x, const struct state *y, diagram *of_x, diagram *of_y);
/* Of each term, whether the memory of x or y depends on it; y may be NULL. */
bool *terms_held(const struct state *x, const struct state *y);

/* branches.c: marks the terms by which states were merged. */
void state_mark_branches(const struct state *s, const struct term_marks *m);

/* guard.c: only runs for which the condition holds are in the state; there are some. */
void state_narrow(struct state *s, diagram where);

/* merge.c: into becomes the state of the runs of both, and of no others. The condition under which
 * a run of it is one of those of `into`. */
diagram state_merge(struct arena *a, struct state *into, const struct state *s);
/* The same where that condition is known, and the path of `into` is that of both. */
void state_merge_where(struct arena *a, struct state *into, const struct state *s, diagram which);

/* ways.c: the head of a loop, and a state that another iteration leads there with. What iterations
 * change together becomes one unknown. True: the head stands for more than before. */
struct way_limit { /* for which runs a choice among ways can be which */
    term_id choice;
    diagram holds;
};
struct place_set { /* of a loop, by keys that are the same in another run of the root */
    struct arena *arena;
    LIST(uint64_t) keys;
    bool grew;
};
struct ways {
    term_id since;   /* terms from here on are of the loop */
    term_id entered; /* those from here on, where a place depends on too many others */
    LIST(const struct loc *) numbers; /* that had one more value already */
    LIST(const struct loc *) flat;    /* that were joined for lack of room, and stay so */
    LIST(int) flat_tensors;           /* the same of tensors, by name */
    LIST(const struct loc *) texts;   /* that have a text of their own: loop_text.c */
    int flattened;                    /* how many places were */
    int made;                         /* how often a tensor was found that is not always there */
    LIST(struct way_limit) limits;
    bool has_visits;            /* places of visited elements were made */
    int limited;                /* how often one became weaker */
    bool is_recursion;          /* the head is the entry of a function that calls itself */
    struct place_set *together; /* loop_late.c; NULL: of a recursion */
    struct map *apart;          /* two places that an iteration changed, each by itself */
    bool is_split; /* groups that depend on each other were too much to be kept together */
    struct heap *heap;
};
struct ways *ways_new(struct arena *a, term_id since);
bool state_add_ways(struct arena *a, struct state *head, const struct state *s, struct ways *w);

/* loop_range.c: what both know of ranges of elements becomes the same. True: the head now stands
 * for more than before. */
void state_forget_ranges(struct state *s); /* all of them */
bool state_widen_ranges(struct arena *a, struct state *head, struct state *s);

/* visited.c: what is kept of what iterations left in the elements that their counter selected, of
 * the cell of one of them at the end of an iteration; without a place: nothing. */
struct cell visited_at(struct arena *a, struct heap *h, const struct state *head,
                       const struct state *s, const struct cell *cell);
/* Whether the iteration left something in its element, too. */
bool visited_is_kept(struct heap *h, const struct state *s, const struct loc *visited);
/* The loop over the numbers below the bound has ended. */
void visited_settle(struct arena *a, struct heap *h, struct state *s, const struct loc *counter,
                    const struct value *bound);

struct value value_join(struct arena *a, struct state *s, const struct value *x,
                        const struct value *y);
/* into becomes the join of both. True if it changed. */
bool state_join(struct arena *a, struct state *into, const struct state *s, bool widen);
/* Marks a join of states whose paths may exclude each other: it combines facts that no path has.
 * True: it does, for they differ in more than counts. */
bool state_mix(struct state *into, const struct state *s);
/* A join, so marked, where there is no room to keep both. */
bool state_join_for_room(struct arena *a, struct state *into, const struct state *s, bool widen);
/* exact_join.c: joins them if they differ only in the number at that location, and if the join
 * stands for these two and nothing else. False: both are left as they are. */
bool state_join_exactly(struct arena *a, struct state *into, const struct state *s,
                        const struct loc *at);
/* Keeps only the conditions that both have. */
void state_join_conditions(struct state *into, const struct state *s);
/* The value of a location that a state has not written, where another wrote `other`: its initial
 * value, zero, or undefined. */
struct value state_unwritten(const struct state *s, const struct loc *l, const struct value *other);
/* The same, for a value by cases: initial contents that nobody has read are any value whose origin
 * is the location, and become known when they are read. */
struct value state_unread(const struct state *s, const struct loc *l, const struct value *other);
static inline bool value_is_unread(const struct value *v)
{
    return v->kind == VALUE_ANY && v->origin;
}
/* page.c: the tensors about which two states may differ; computed on demand. */
struct difference {
    bool known;
    uint64_t names; /* hashed to bits, as in pages */
};
/* Whether a page that both share means the same in both. */
bool page_says_the_same(const struct page *p, const struct state *x, const struct state *y,
                        struct difference *d);
/* Whether x subsumes y: y has nothing to add but shapes and shared memory, for which no states
 * are kept separate. */
bool state_subsumes(const struct state *x, const struct state *y);
/* Which of these hold. */
enum { STATE_SUBSUMES = 1, STATE_IS_SUBSUMED = 2 };
/* For each that does not: the location that decides it; NULL: none alone does. */
struct first_difference {
    const struct loc *at[2];
};
unsigned state_compare(const struct state *x, const struct state *y, unsigned asked,
                       struct first_difference *difference); /* NULL: nobody wants to know */
/* What still holds after comparing one location. NULL: that state has not written it; one has. */
unsigned state_compare_at(const struct state *x, const struct value *a, const struct state *y,
                          const struct value *b, const struct loc *l, unsigned asked);

/* compare_cache.c: for each direction, where the last incoming state differed from one that
 * waits, and the value of that there. */
struct compare_cache {
    const struct loc *at[2]; /* NULL: not known yet */
    bool is_known[2], is_written[2];
    struct value values[2];
};
struct incoming {
    struct state *state;
    const struct loc *at; /* where it was looked at last, and its value there */
    const struct value *value;
};
/* As state_compare in both directions; x is the state that waits. */
unsigned compare_cached(struct compare_cache *t, const struct state *x, struct incoming *coming);
void compare_cache_clear(struct compare_cache *t); /* the waiting state has changed */
/* Shapes in which they differ become unknown, and memory shared in either may be shared. True:
 * there were differences. */
bool state_blur_shapes(struct state *into, const struct state *s);
bool value_subsumes(const struct state *x, const struct value *a, const struct state *y,
                    const struct value *b);
/* What a join would lose: 0 nothing, below DISTANCE_POINTER numbers only, from DISTANCE_TENSOR
 * on facts about tensors. */
enum { DISTANCE_CHOICE = 20, DISTANCE_POINTER = 1000, DISTANCE_TENSOR = 100000 };
/* Exact up to `most`. */
int state_distance(const struct state *x, const struct state *y, int most);
/* How different two states are, to decide which to keep: facts about tensors count most, then
 * flags that select them, then functions, pointers and counts. */
int state_contrast(const struct state *x, const struct state *y, int most); /* exact up to `most` */
/* Whether they differ only in numbers: in counts, and in any number at locations for which `in`
 * holds. */
bool state_differs_in_counts(const struct state *x, const struct state *y,
                             bool (*in)(const struct loc *, const void *), const void *what);
/* Whether they differ only in numbers at locations for which `in` holds. difference: a location
 * to compare first; then the one that decided. */
bool state_differs_in(const struct state *x, const struct state *y,
                      bool (*in)(const struct loc *, const void *), const void *what,
                      const struct loc **difference);

#endif

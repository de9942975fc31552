/* The autograd tape in a state: lookup, pruning, join, subsumption. autograd/record.c appends to
 * it and autograd/backward.c walks it. */
#include "analyzer/flow/states/states.h"

#include <stdlib.h>
#include <string.h>

struct tape_node *state_node(struct state *s, int id)
{
    int i = state_node_from(s, id);
    if (i >= s->nodes.count || s->nodes.items[i].id != id)
        return NULL;
    struct tape_node *n = state_node_write(s, i);
    if (n->cases)
        guard_read_node(s, n);
    return n;
}

const struct tape_node *state_node_seen(struct state *s, int id)
{
    int i = state_node_from(s, id);
    if (i >= s->nodes.count || s->nodes.items[i].id != id)
        return NULL;
    return state_node_raw(s, i)->cases ? state_node(s, id) : state_node_raw(s, i);
}

enum { MAX_VIEWS = 64 }; /* of views */

int tape_leaf(struct state *s, const struct tensor *view)
{
    int at = view->node;
    for (int k = 0; at > 0 && k < MAX_VIEWS; k++) {
        const struct tape_node *n = state_node_seen(s, at);
        at = n && n->input_count == 1 && !n->writes ? n->inputs[0] : 0;
    }
    return at < 0 ? -at : 0;
}

struct tape_node *state_node_put(struct arena *a, struct state *s, struct tape_node n)
{
    int i = state_node_from(s, n.id);
    bool is_there = i < s->nodes.count && s->nodes.items[i].id == n.id;
    struct node_slot *all = state_nodes_own(s);
    s->is_tape_pruned = false;
    if (!is_there) {
        if (s->nodes.count == s->nodes.room)
            s->nodes.items = all = list_grow(a, all, &s->nodes.room, sizeof *all);
        memmove(&all[i + 1], &all[i], sizeof *all * (size_t)(s->nodes.count++ - i));
    }
    if (!is_there || all[i].box->owner != s->stamp) {
        all[i] = (struct node_slot){n.id, arena_one(a, struct node_box)};
        all[i].box->owner = s->stamp;
    }
    all[i].box->node = n;
    return &all[i].box->node;
}

/* ---- forgetting ------------------------------------------------------------------------------ */

/* Reachable nodes, and those whose inputs are still to be visited: a list, since the tape of a
 * long program is as deep as it is long. Nodes are found by name in a table, since all of them are
 * asked for. */
struct marks {
    bool *reached;
    int *todo;
    int count;
    int *places; /* by the hash of the name: the index plus one */
    unsigned mask;
};

static unsigned place_of(const struct marks *m, int id)
{
    return ((unsigned)id * 0x9e3779b1u >> 8) & m->mask;
}

static void note_places(const struct state *s, struct marks *m)
{
    for (int i = 0; i < s->nodes.count; i++) {
        unsigned at = place_of(m, s->nodes.items[i].id);
        while (m->places[at])
            at = (at + 1) & m->mask;
        m->places[at] = i + 1;
    }
}

static void mark(const struct state *s, struct marks *m, int id)
{
    if (id <= 0)
        return;
    unsigned at = place_of(m, id);
    while (m->places[at] && s->nodes.items[m->places[at] - 1].id != id)
        at = (at + 1) & m->mask;
    int i = m->places[at] - 1;
    if (i < 0 || m->reached[i])
        return;
    m->reached[i] = true;
    m->todo[m->count++] = i;
}

static void mark_inputs(const struct state *s, struct marks *m, const struct tape_node *n)
{
    for (int k = 0; k < n->input_count; k++)
        mark(s, m, n->inputs[k]);
}

static void mark_names(const struct state *s, struct marks *m, const struct name_list *all)
{
    for (int i = 0; i < all->count; i++)
        mark(s, m, all->items[i]);
}

static void mark_all(const struct state *s, struct marks *m)
{
    for (int t = 0; t < s->tensors.count; t++) {
        if (state_tensor_raw(s, t)->cases)
            mark_names(s, m, guard_makers(s, state_tensor_raw(s, t)));
        else
            mark(s, m, state_tensor_raw(s, t)->node);
    }
    while (m->count) {
        const struct tape_node *n = state_node_raw(s, m->todo[--m->count]);
        if (n->cases)
            mark_names(s, m, guard_inputs(s, n));
        else
            mark_inputs(s, m, n);
    }
}

enum { FEW_NODES = 1024 };

/* Those that are not to be kept are dropped, by index. */
static void keep_reached(struct state *s, const bool *reached)
{
    int kept = 0;
    for (int i = 0; i < s->nodes.count; i++)
        kept += reached[i];
    if (kept == s->nodes.count)
        return;
    struct node_slot *all = state_nodes_own(s);
    kept = 0;
    for (int i = 0; i < s->nodes.count; i++)
        if (reached[i])
            all[kept++] = all[i];
    s->nodes.count = kept;
}

/* In the same order, since lists in another one count as others. */
static bool forget_savers(struct tensor *t, void *what)
{
    const struct state *s = what;
    const struct saver *list = t->savers;
    while (list && state_has_node(s, list->node))
        list = list->next;
    if (!list)
        return false;
    struct saver *first = NULL, **end = &first;
    for (list = t->savers; list; list = list->next) {
        if (!state_has_node(s, list->node))
            continue;
        struct saver *same = arena_one(s->kept, struct saver);
        *same = (struct saver){list->node, list->sure, NULL};
        *end = same;
        end = (struct saver **)&same->next;
    }
    t->savers = first;
    return true;
}

/* A later iteration of a loop has a node of its own in the place of one that is gone: it did not
 * save what that one did. */
static void forget_all_savers(struct state *s)
{
    for (int i = 0; i < s->tensors.count; i++) {
        struct tensor t = *state_tensor_raw(s, i);
        diagram cases = t.cases;
        if (cases && guard_has_savers(s, &t))
            t = guard_map_tensor(s, state_tensor_raw(s, i), forget_savers, s);
        bool is_changed = cases ? t.cases != cases : t.savers && forget_savers(&t, s);
        if (is_changed)
            *state_tensor_write(s, i) = t;
    }
}

void state_nodes_keep(struct state *s, const bool *kept)
{
    int before = s->nodes.count;
    keep_reached(s, kept);
    if (s->nodes.count < before)
        forget_all_savers(s);
}

void state_prune_nodes(struct state *s)
{
    bool reached[FEW_NODES];
    int todo[FEW_NODES], places[2 * FEW_NODES];
    unsigned room = 16;
    if (!s->nodes.count || s->is_tape_pruned)
        return;
    while (room < 2 * (unsigned)s->nodes.count)
        room *= 2;
    struct marks m = {reached, todo, 0, places, room - 1};
    struct arena *many = s->nodes.count > FEW_NODES ? arena_new() : NULL;
    if (many) {
        m.reached = arena_array(many, bool, s->nodes.count);
        m.todo = arena_array(many, int, s->nodes.count);
        m.places = arena_array(many, int, (int)room);
    } else {
        memset(reached, 0, (size_t)s->nodes.count);
        memset(places, 0, sizeof *places * room);
    }
    note_places(s, &m);
    mark_all(s, &m);
    state_nodes_keep(s, m.reached);
    s->is_tape_pruned = true;
    if (many)
        arena_free(many);
}

/* ---- joining --------------------------------------------------------------------------------- */

static bool has_input(const struct tape_node *n, int input)
{
    for (int i = 0; i < n->input_count; i++)
        if (n->inputs[i] == input)
            return true;
    return false;
}

static bool inputs_subsume(const struct tape_node *x, const struct tape_node *y)
{
    for (int i = 0; i < y->input_count; i++)
        if (!has_input(x, y->inputs[i]))
            return false;
    return true;
}

static int compare_inputs(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

/* The union, in an order that does not depend on that of the joins. */
static void unite_inputs(struct arena *a, struct tape_node *to, const struct tape_node *n)
{
    int *all = arena_array(a, int, to->input_count + n->input_count);
    if (to->input_count)
        memcpy(all, to->inputs, sizeof *all * (size_t)to->input_count);
    int count = to->input_count;
    for (int i = 0; i < n->input_count; i++)
        if (!has_input(to, n->inputs[i]))
            all[count++] = n->inputs[i];
    if (count)
        qsort(all, (size_t)count, sizeof *all, compare_inputs);
    to->inputs = all;
    to->input_count = count;
}

static bool join_tri(uint8_t *to, uint8_t from)
{
    uint8_t before = *to;
    *to |= from;
    return *to != before;
}

bool node_join_inputs(struct arena *a, struct tape_node *to, const struct tape_node *n)
{
    bool is_more = !inputs_subsume(to, n), differ = is_more || !inputs_subsume(n, to);
    bool changed = is_more || ((differ || n->either) && !to->either);
    to->either |= differ || n->either;
    if (changed)
        unite_inputs(a, to, n);
    return changed;
}

/* The call that freed it, if it is one; before what is known of that is joined. */
static void join_freed_by(struct tape_node *to, const struct tape_node *n)
{
    bool is_same = to->freed_in == n->freed_in && to->freed_at == n->freed_at;
    if (n->freed == TRI_NO || (is_same && to->freed != TRI_NO))
        return;
    to->freed_in = to->freed == TRI_NO ? n->freed_in : NULL;
    to->freed_at = to->freed == TRI_NO ? n->freed_at : 0;
}

static bool node_join(struct arena *a, struct tape_node *to, const struct tape_node *n)
{
    bool changed = node_join_inputs(a, to, n);
    join_freed_by(to, n);
    changed |= join_tri(&to->freed, n->freed);
    changed |= join_tri(&to->broken, n->broken);
    changed |= join_tri(&to->fails, n->fails);
    changed |= join_tri(&to->saves, n->saves);
    if (!to->changed)
        to->changed = n->changed;
    if (to->kind == ERROR_NONE) {
        to->kind = n->kind;
        to->reason = n->reason;
    }
    return changed;
}

/* It becomes the join of all that it can be. */
static struct tape_node node_flatten(struct arena *a, struct state *into, const struct state *of,
                                     const struct tape_node *n)
{
    node_list all = guard_nodes(a, of, n);
    struct tape_node one = *all.items[0];
    for (int i = 1; i < all.count; i++)
        node_join(into->kept, &one, all.items[i]);
    into->blurred |= all.count > 1;
    into->joined |= all.count > 1;
    return one;
}

static bool join_guarded_node(struct arena *a, struct state *into, struct tape_node *mine,
                              const struct state *s, const struct tape_node *n)
{
    if (mine->cases == n->cases)
        return false;
    bool changed = mine->cases;
    *mine = node_flatten(a, into, into, mine);
    struct tape_node other = node_flatten(a, into, s, n);
    return node_join(into->kept, mine, &other) || changed;
}

bool state_join_nodes(struct arena *a, struct state *into, const struct state *s)
{
    bool changed = false;
    for (int i = 0; i < s->nodes.count; i++) {
        struct tape_node *mine = state_node(into, s->nodes.items[i].id);
        if (mine && (mine->cases || state_node_raw(s, i)->cases)) {
            changed |= join_guarded_node(a, into, mine, s, state_node_raw(s, i));
        } else if (mine) {
            changed |= node_join(into->kept, mine, state_node_raw(s, i));
        } else {
            state_node_put(a, into, *state_node_raw(s, i));
            changed = true;
        }
    }
    return changed;
}

static const struct saver *saver_of(const struct saver *list, int node)
{
    while (list && list->node != node)
        list = list->next;
    return list;
}

static const struct saver *saver_before(struct arena *a, int node, bool sure,
                                        const struct saver *next)
{
    struct saver *new = arena_one(a, struct saver);
    *new = (struct saver){node, sure, next};
    return new;
}

/* The union; sure is what holds in both. Lists are shared between tensors, so a new one is made. */
bool tensor_join_savers(struct arena *a, struct tensor *to, const struct tensor *t)
{
    const struct saver *all = NULL;
    bool changed = false;
    if (to->savers == t->savers)
        return false;
    for (const struct saver *x = to->savers; x; x = x->next) {
        const struct saver *other = saver_of(t->savers, x->node);
        bool sure = x->sure && other && other->sure;
        changed |= sure != x->sure;
        all = saver_before(a, x->node, sure, all);
    }
    for (const struct saver *x = t->savers; x; x = x->next)
        if (!saver_of(to->savers, x->node)) {
            all = saver_before(a, x->node, false, all);
            changed = true;
        }
    if (changed)
        to->savers = all;
    return changed;
}

enum { EITHER = 0x40000000 };

/* A tensor that several ops can have made has a node of its own, which is one of theirs. */
static bool add_either(struct arena *a, struct state *s, struct tensor *t, int node)
{
    int id = EITHER | t->id;
    struct tape_node *n = state_node(s, id);
    if (!n)
        n = state_node_put(a, s,
                           (struct tape_node){.id = id,
                                              .either = true,
                                              .saves = TRI_NO,
                                              .freed = TRI_NO,
                                              .broken = TRI_NO,
                                              .fails = TRI_NO});
    struct tape_node from = {.inputs = &node, .input_count = node == id ? 0 : 1};
    t->node = id;
    return node_join_inputs(s->kept, n, &from);
}

bool tensor_join_tape(struct arena *a, struct state *into, struct tensor *to,
                      const struct tensor *t)
{
    bool changed = tensor_join_savers(into->kept, to, t);
    int before = to->node;
    if (to->node == t->node || !t->node)
        return changed;
    if (!to->node) {
        to->node = t->node;
        return true;
    }
    changed |= add_either(a, into, to, before);
    changed |= add_either(a, into, to, t->node);
    return changed || to->node != before;
}

/* ---- older nodes ----------------------------------------------------------------------------- */

struct renaming {
    struct arena *kept;
    int id, to;
};

/* In the same order, since lists in another one count as others. */
static const struct saver *rename_savers(const struct renaming *r, const struct saver *list)
{
    bool has = saver_of(list, r->to) != NULL;
    struct saver *first = NULL, **end = &first;
    for (; list; list = list->next) {
        if (list->node == r->id && has)
            continue;
        struct saver *new = arena_one(r->kept, struct saver);
        *new = (struct saver){list->node == r->id ? r->to : list->node, list->sure, NULL};
        *end = new;
        end = (struct saver **)&new->next;
    }
    return first;
}

static bool rename_node(struct tensor *t, void *what)
{
    const struct renaming *r = what;
    const struct saver *savers =
        saver_of(t->savers, r->id) ? rename_savers(r, t->savers) : t->savers;
    bool changes = t->node == r->id || savers != t->savers;
    t->node = t->node == r->id ? r->to : t->node;
    t->savers = savers;
    return changes;
}

static bool rename_input(struct tape_node *n, void *what)
{
    const struct renaming *r = what;
    int kept = 0;
    if (!has_input(n, r->id))
        return false;
    int *all = arena_array(r->kept, int, n->input_count);
    bool has = n->id == r->to || has_input(n, r->to);
    for (int i = 0; i < n->input_count; i++)
        if (n->inputs[i] != r->id)
            all[kept++] = n->inputs[i];
        else if (!has)
            all[kept++] = r->to;
    n->inputs = all;
    n->input_count = kept;
    return true;
}

static void rename_in_tape(struct state *s, struct renaming *r)
{
    for (int i = 0; i < s->tensors.count; i++) {
        struct tensor t = *state_tensor_raw(s, i);
        if (t.cases)
            t = guard_map_tensor(s, state_tensor_raw(s, i), rename_node, r);
        else if (!rename_node(&t, r))
            continue;
        *state_tensor_write(s, i) = t;
    }
    for (int i = 0; i < s->nodes.count; i++) {
        struct tape_node n = *state_node_raw(s, i);
        if (n.cases)
            n = guard_map_node(s, state_node_raw(s, i), rename_input, r);
        else if (!rename_input(&n, r))
            continue;
        *state_node_write(s, i) = n;
    }
}

bool state_has_node(const struct state *s, int id)
{
    int i = state_node_from(s, id);
    return i < s->nodes.count && s->nodes.items[i].id == id;
}

static void drop_node(struct state *s, int id)
{
    int at = state_node_from(s, id);
    struct node_slot *all = state_nodes_own(s);
    s->is_tape_pruned = false;
    memmove(&all[at], &all[at + 1], sizeof *all * (size_t)(s->nodes.count - 1 - at));
    s->nodes.count--;
}

void state_node_age(struct arena *a, struct state *s, int id, int older)
{
    struct renaming r = {s->kept, id, older};
    struct tape_node n = *state_node(s, id);
    n.cases = 0;
    n.id = older;
    drop_node(s, id);
    if (state_has_node(s, older))
        node_join(s->kept, &n, state_node(s, older));
    state_node_put(a, s, n);
    rename_in_tape(s, &r);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool savers_subsume(const struct tensor *x, const struct tensor *y)
{
    for (const struct saver *v = y->savers; v; v = v->next) {
        const struct saver *mine = saver_of(x->savers, v->node);
        if (!mine || (mine->sure && !v->sure))
            return false;
    }
    for (const struct saver *v = x->savers; v; v = v->next)
        if (v->sure && !saver_of(y->savers, v->node))
            return false;
    return true;
}

static bool node_subsumes(const struct tape_node *x, const struct tape_node *y)
{
    if (x->cases || y->cases)
        return x->cases == y->cases;
    bool same = !(y->saves & ~x->saves) && !(y->freed & ~x->freed) && !(y->broken & ~x->broken) &&
                !(y->fails & ~x->fails);
    return same && inputs_subsume(x, y) && (x->either || (!y->either && inputs_subsume(y, x)));
}

static bool has_like(const struct state *s, const struct tape_node *n)
{
    if (!state_has_node(s, n->id))
        return false;
    struct tape_node mine = *state_node_raw(s, state_node_from(s, n->id));
    if (mine.cases)
        guard_read_node(s, &mine);
    return node_subsumes(&mine, n);
}

bool state_subsumes_tape(const struct state *x, const struct state *y)
{
    for (int i = 0; i < y->nodes.count && x->nodes.items != y->nodes.items; i++)
        if (!has_like(x, state_node_raw(y, i)))
            return false;
    for (int i = 0; i < y->tensors.count; i++) {
        const struct tensor *t = state_tensor_raw(y, i), *mine = state_tensor(x, t->id);
        bool is_same = mine && mine->cases && mine->cases == t->cases;
        if (mine && !is_same &&
            (mine->cases || t->cases || mine->node != t->node || !savers_subsume(mine, t)))
            return false;
    }
    return true;
}

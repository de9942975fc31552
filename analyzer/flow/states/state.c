/* A state as a whole: new ones, what is zeroed or dropped, tensors that are renamed and pruned. */
#include "analyzer/flow/states/states.h"

#include <string.h>

struct state *state_new(struct arena *a, uint64_t *stamps, struct guards *guards)
{
    struct state *s = arena_one(a, struct state);
    s->arena = a;
    s->stamps = stamps;
    s->guards = guards;
    s->path = DIAGRAM_YES;
    s->stamp = ++*stamps;
    return s;
}

bool state_zeroed(const struct state *s, const struct loc *l)
{
    for (; l; l = l->parent) {
        const struct value *v = state_get(s, l);
        if (v && (v->kind == VALUE_ZEROED || v->kind == VALUE_ANY)) /* any: overwritten since */
            return v->kind == VALUE_ZEROED;
    }
    return false;
}

bool state_overwritten(const struct state *s, const struct loc *l)
{
    for (; l; l = l->parent) {
        const struct value *v = state_get(s, l);
        if (v && (v->kind == VALUE_ZEROED || v->kind == VALUE_ANY))
            return v->kind == VALUE_ANY;
    }
    return false;
}

static bool is_below(const struct cell *cell, const void *top)
{
    return loc_is_below(cell->loc, top);
}

void state_drop(struct state *s, const struct loc *l)
{
    state_drop_of(s, l->object, is_below, l);
}

static bool is_of_object(const struct cell *cell, const void *object)
{
    return cell->loc->object == object;
}

void state_drop_object(struct state *s, const struct object *o)
{
    state_drop_of(s, o, is_of_object, o);
}

static bool is_of_frame(const struct cell *cell, const void *frame)
{
    return cell->loc->object->frame == frame;
}

void state_drop_frame(struct state *s, const void *frame)
{
    state_drop_of_frame(s, frame, is_of_frame, frame);
}

/* The tensors that are referred to, by index, and the last one marked. */
struct held {
    bool *at;
    int last;
};

/* Cells often refer to the tensor that the cell before does, or to the one made after that. */
static inline int index_of(const struct state *s, int id, int last)
{
    for (int at = last; at < last + 2 && at < s->tensors.count; at++)
        if (s->tensors.items[at].id == id)
            return at;
    return state_tensor_from(s, id);
}

static inline void mark_name(const struct state *s, int id, struct held *held)
{
    int at = index_of(s, id, held->last);
    if (at < s->tensors.count && s->tensors.items[at].id == id) {
        held->at[at] = true;
        held->last = at;
    }
}

static void mark_guarded(const struct state *s, const struct value *v, struct held *held);

/* Tensors by name, raw memory through the pointers to it. */
static inline void mark_held(const struct state *s, const struct value *v, struct held *held)
{
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++)
        mark_name(s, v->as.tensor[k], held);
    for (int k = 0; s->has_memory && v->kind == VALUE_ADDRESS && k < v->count; k++)
        if (v->as.loc[k]->object->memory)
            mark_name(s, v->as.loc[k]->object->memory, held);
    if (v->kind == VALUE_GUARDED)
        mark_guarded(s, v, held);
}

struct marking {
    const struct state *s;
    struct held *held;
};

static bool mark_leaf(const struct value *v, const void *what)
{
    const struct marking *m = what;
    mark_held(m->s, v, m->held);
    return false;
}

static bool is_to_memory(const struct value *v, const void *what)
{
    (void)what;
    for (int k = 0; v->kind == VALUE_ADDRESS && k < v->count; k++)
        if (v->as.loc[k]->object->memory)
            return true;
    return false;
}

static void mark_guarded(const struct state *s, const struct value *v, struct held *held)
{
    const struct name_list *all = v->as.guard.names ? guard_names(s, v) : NULL;
    for (int i = 0; all && i < all->count; i++)
        mark_name(s, all->items[i], held);
    if (v->as.guard.points && s->has_memory && guard_may_be(s, v, is_to_memory, NULL))
        guard_any(s, v, mark_leaf, &(struct marking){s, held});
}

static void mark_base(struct state *s, int id, bool *held)
{
    int base = id ? state_tensor_from(s, id) : s->tensors.count;
    if (base < s->tensors.count && s->tensors.items[base].id == id && !held[base])
        held[base] = state_tensor_at(s, base)->fact.grad & TRI_YES;
}

/* A view keeps its base alive; that matters where the base requires grad. That is the tensor whose
 * memory it is, or one that shares the memory and was detached from its history. */
static void mark_viewed(struct state *s, bool *held)
{
    for (int t = 0; t < s->tensors.count; t++) {
        int storage = held[t] ? tensor_storage(state_tensor_raw(s, t)) : 0;
        if (!storage || storage == s->tensors.items[t].id)
            continue;
        mark_base(s, storage, held);
        mark_base(s, tape_leaf(s, state_tensor_raw(s, t)), held);
    }
}

static void add_named(struct page *p, int id, bool *are_few)
{
    for (int i = 0; i < p->named_count; i++)
        if (p->named[i] == id)
            return;
    *are_few &= p->named_count < PAGE_NAMED;
    if (*are_few)
        p->named[p->named_count++] = id;
}

/* Collects the tensors that its cells refer to; false: they are many. Most pages are looked at by
 * many states that share them. */
static bool collect_named(const struct state *s, struct page *p)
{
    bool are_few = true;
    p->named_count = 0;
    for (int i = 0; i < p->count && are_few; i++) {
        const struct value *v = &p->cells[i].value;
        const struct name_list *all =
            v->kind == VALUE_GUARDED && v->as.guard.names ? guard_names(s, v) : NULL;
        for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++)
            add_named(p, v->as.tensor[k], &are_few);
        for (int k = 0; all && k < all->count && are_few; k++)
            add_named(p, all->items[k], &are_few);
    }
    return p->has_named = are_few;
}

static void mark_page(const struct state *s, struct page *p, struct held *held)
{
    bool has_memory = p->points && s->has_memory;
    if (!has_memory && !p->names)
        return;
    if (!has_memory && (p->has_named || collect_named(s, p))) {
        for (int i = 0; i < p->named_count; i++)
            mark_name(s, p->named[i], held);
        return;
    }
    for (int i = 0; i < p->count; i++)
        mark_held(s, &p->cells[i].value, held);
}

enum { FEW_TENSORS = 4096 };

static void prune(struct state *s, const struct value *but, bool *held)
{
    struct held h = {.at = held};
    int kept = 0;
    if (but)
        mark_held(s, but, &h);
    for (int p = 0; p < s->pages.count && s->tensors.count; p++)
        mark_page(s, s->pages.items[p], &h);
    mark_viewed(s, held);
    for (int t = 0; t < s->tensors.count; t++)
        kept += held[t];
    if (kept == s->tensors.count)
        return;
    state_tensors_keep(s, held);
}

void state_prune(struct state *s, const struct value *but)
{
    bool few[FEW_TENSORS];
    if (s->is_pruned)
        return;
    struct arena *many = s->tensors.count > FEW_TENSORS ? arena_new() : NULL;
    if (!many)
        memset(few, 0, (size_t)s->tensors.count);
    prune(s, but, many ? arena_array(many, bool, s->tensors.count) : few);
    if (many)
        arena_free(many);
    state_prune_nodes(s);
    if (s->is_tape_cut)
        state_prune_cut(s, but);
    s->is_pruned = !but;
}

bool value_rename_tensor(struct value *v, int id, int to)
{
    bool found = false, has = false;
    int kept = 0;
    for (int k = 0; k < v->count; k++) {
        found |= v->as.tensor[k] == id;
        has |= v->as.tensor[k] == to;
        if (v->as.tensor[k] != id)
            v->as.tensor[kept++] = v->as.tensor[k];
    }
    if (!found)
        return false;
    int at = kept;
    while (!has && at > 0 && v->as.tensor[at - 1] > to) {
        v->as.tensor[at] = v->as.tensor[at - 1];
        at--;
    }
    if (!has)
        v->as.tensor[at] = to;
    v->count = (uint8_t)(kept + !has);
    return true;
}

struct renaming {
    int id, to;
};

static bool rename_either(struct value *v, const void *what)
{
    const struct renaming *r = what;
    return v->kind == VALUE_TENSOR && value_rename_tensor(v, r->id, r->to);
}

static bool asks_about(const struct value *v, int id)
{
    const struct query *a = value_asks(v);
    for (int k = 0; a && k < a->count; k++)
        if (a->tensors[k] == id)
            return true;
    return false;
}

static bool names_or_asks(const struct value *v, const void *name)
{
    int id = *(const int *)name;
    for (int k = 0; v->kind == VALUE_TENSOR && k < v->count; k++)
        if (v->as.tensor[k] == id)
            return true;
    return v->kind != VALUE_TENSOR && asks_about(v, id);
}

static bool node_refers_to(const struct state *s, const struct tape_node *n, int id)
{
    struct arena *a = n->cases ? arena_new() : NULL;
    node_list all = {.items = &n, .count = 1};
    bool found = false;
    if (a)
        all = guard_nodes(a, s, n);
    for (int i = 0; i < all.count; i++)
        for (int k = 0; k < all.items[i]->input_count; k++)
            found |= all.items[i]->inputs[k] == -id;
    if (a)
        arena_free(a);
    return found;
}

/* Its memory is that of the tensor, or may be. */
static bool is_around(const struct state *s, const struct tensor *t, int id)
{
    struct arena *a = t->cases ? arena_new() : NULL;
    tensor_list all = {.items = &t, .count = 1};
    bool found = false;
    if (a)
        all = guard_tensors(a, s, t);
    for (int i = 0; i < all.count; i++)
        found |= tensor_storage(all.items[i]) == id || tensor_kin(all.items[i]) == id;
    if (a)
        arena_free(a);
    return found;
}

bool state_is_entangled(const struct state *s, int id)
{
    bool found = false;
    for (int i = 0; !found && i < s->tensors.count; i++)
        found = s->tensors.items[i].id != id && is_around(s, state_tensor_raw(s, i), id);
    for (int i = 0; !found && i < s->nodes.count; i++)
        found = node_refers_to(s, state_node_raw(s, i), id);
    return found;
}

bool state_refers_to(const struct state *s, int id)
{
    int at = state_tensor_from(s, id);
    bool found = false;
    if (at == s->tensors.count || s->tensors.items[at].id != id)
        return false;
    for (int p = 0; !found && p < s->pages.count; p++) {
        const struct page *page = s->pages.items[p];
        for (int i = 0; page_may_name(page, id) && !found && i < page->count; i++) {
            const struct value *v = &page->cells[i].value;
            found = v->kind == VALUE_GUARDED
                        ? guard_may_mention(s, v, id) && guard_any(s, v, names_or_asks, &id)
                        : names_or_asks(v, &id);
        }
    }
    return found || state_is_entangled(s, id);
}

diagram state_where_held(const struct state *s, int id)
{
    struct conditions *c = guard_conditions(s->guards);
    diagram where = DIAGRAM_NO;
    if (!s->guarded || state_is_entangled(s, id))
        return DIAGRAM_YES;
    for (int p = 0; p < s->pages.count; p++) {
        const struct page *page = s->pages.items[p];
        for (int i = 0; i < page->count && where != DIAGRAM_YES && page_may_name(page, id); i++) {
            const struct value *v = &page->cells[i].value;
            if (v->kind != VALUE_GUARDED || guard_may_mention(s, v, id))
                where = condition_or(c, where, guard_where(s, v, names_or_asks, &id));
        }
    }
    return where;
}

/* Whether something is the tensor, where the state is that of a case. A tensor that an iteration
 * made means nothing where none was run. */
static bool is_held(const struct state *s, int id)
{
    diagram where = state_where_held(s, id);
    return where == DIAGRAM_YES || case_holds(s, where);
}

void state_tensor_age(struct arena *a, struct state *s, int id, int older, bool held)
{
    const struct tensor *now = state_tensor(s, id), *before = now ? state_tensor(s, older) : NULL;
    if (now && now->is_absent)
        return;
    if (before && before->is_absent)
        before = NULL;
    if (before && !fact_equal(&now->fact, &before->fact) && !is_held(s, older))
        before = NULL;
    bool is_gone = !held && before && !fact_equal(&now->fact, &before->fact) && !is_held(s, id);
    state_memory_age(s, id, older);
    if (!now)
        return;
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w)) {
        struct value v = cell->value;
        bool renamed = v.kind == VALUE_TENSOR && value_rename_tensor(&v, id, older);
        if (v.kind == VALUE_GUARDED && guard_may_mention(s, &v, id)) {
            v = guard_map(s, &cell->value, rename_either, &(struct renaming){id, older});
            renamed = !value_equal(&v, &cell->value);
        }
        held |= renamed;
        if (v.kind != VALUE_TENSOR && asks_about(&v, id)) {
            v.query = NULL;
            v.test = NULL;
            renamed = true;
        }
        if (renamed)
            cell_set(a, s, w, v);
    }
    if (!held || is_gone)
        return;
    struct tensor t = *now;
    t.cases = 0;
    t.id = older;
    before = before ? state_tensor(s, older) : NULL;
    if (before) {
        t.how = before->how;
        t.unknown |= before->unknown;
        t.exposed |= before->exposed;
        t.several = true;
        fact_join(&t.fact, &before->fact);
        tensor_join_tape(a, s, &t, before);
    }
    if (t.storage == id)
        t.storage = older;
    if (t.kin == id)
        t.kin = older;
    if (t.history == id)
        t.history = older;
    if (before)
        tensor_join_memory(s, &t, before);
    state_tensor_put(a, s, t);
}

/* Memory that a call allocates again while what it allocated before is still in use. As long as
 * iterations are not joined, each allocation is an object of its own. Where they are, the latest is
 * one, and another stands for all before it: writes to that are weak. */
#include "analyzer/flow/memory/memory.h"

/* An object, and the one that its contents go to. */
struct ageing {
    struct flow *f;
    const struct object *from;
    const struct loc *to;
};

static bool points_into(const struct value *v, const void *object)
{
    for (int k = 0; (v->kind == VALUE_ADDRESS || v->kind == VALUE_ANY) && k < v->count; k++)
        if (v->as.loc[k]->object == object)
            return true;
    return false;
}

static bool is_one_into(const struct state *s, const struct value *v, const struct object *o)
{
    return v->as.guard.points && guard_may_be(s, v, points_into, o) &&
           guard_any(s, v, points_into, o);
}

bool memory_is_held(const struct state *s, const struct object *o)
{
    uint64_t bit = target_bit(o);
    for (int i = 0; i < s->pages.count; i++) {
        const struct page *p = s->pages.items[i];
        for (int k = 0; k < p->count && p->targets & bit; k++) {
            const struct value *v = &p->cells[k].value;
            if (v->kind == VALUE_GUARDED ? is_one_into(s, v, o) : points_into(v, o))
                return true;
        }
    }
    return false;
}

/* Sorted, and each once. */
static void add_place(struct value *v, const struct loc *l)
{
    int at = 0;
    while (at < v->count && v->as.loc[at]->id < l->id)
        at++;
    if (at < v->count && v->as.loc[at] == l)
        return;
    for (int k = v->count++; k > at; k--)
        v->as.loc[k] = v->as.loc[k - 1];
    v->as.loc[at] = l;
}

static bool point_to_older(struct value *v, const void *what)
{
    const struct ageing *g = what;
    struct value old = *v;
    if (!points_into(v, g->from))
        return false;
    v->count = 0;
    for (int k = 0; k < old.count; k++) {
        const struct loc *l = old.as.loc[k];
        add_place(v, l->object == g->from ? loc_rebase(g->f->heap, l, g->from->root, g->to) : l);
    }
    return true;
}

static void redirect(const struct ageing *g, struct state *s)
{
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w)) {
        struct value v = cell->value;
        bool changed = v.kind != VALUE_GUARDED && point_to_older(&v, g);
        if (v.kind == VALUE_GUARDED && v.as.guard.points) {
            v = guard_map(s, &cell->value, point_to_older, g);
            changed = !value_equal(&v, &cell->value);
        }
        if (changed)
            cell_set(g->f->scratch, s, w, v);
    }
}

/* What was not written in the one is what it is there without having been written. */
static void move_cells(const struct ageing *g, struct state *s, bool joins)
{
    cell_list all = {0};
    const struct cell *cell;
    struct arena *a = g->f->scratch;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, g->from)); cursor_on(s, &w))
        if (cell->loc->object == g->from && !cell->loc->any)
            LIST_ADD(a, &all, *cell);
    for (struct cursor w = {0}; joins && (cell = cell_of(s, &w, g->to->object)); cursor_on(s, &w)) {
        const struct loc *l = cell->loc->object == g->to->object
                                  ? loc_rebase(g->f->heap, cell->loc, g->to, g->from->root)
                                  : NULL;
        struct cell one = {l, l ? state_unwritten(s, l, &cell->value) : value_nothing};
        if (l && !state_get_guarded(s, l) && one.value.kind != VALUE_NOTHING)
            LIST_ADD(a, &all, one);
    }
    for (int i = 0; i < all.count; i++) {
        const struct loc *l = loc_rebase(g->f->heap, all.items[i].loc, g->from->root, g->to);
        const struct value *now = joins ? state_get_guarded(s, l) : NULL;
        struct value before = now ? *now : state_unwritten(s, l, &all.items[i].value);
        state_put(a, s, l,
                  joins ? value_join(a, s, &before, &all.items[i].value) : all.items[i].value);
    }
    state_drop_object(s, g->from);
}

void memory_age(struct flow *f, struct state *s, struct object *from, struct object *older)
{
    struct ageing g = {f, from, loc_root(f->heap, older)};
    const struct tensor *now = state_tensor(s, from->memory),
                        *before = state_tensor(s, older->memory);
    loc_root(f->heap, from);
    older->type = older->type ? older->type : from->type;
    older->many = true;
    bool joins = before || (older->is && memory_is_held(s, older));
    if (!joins)
        state_drop_object(s, older);
    redirect(&g, s);
    move_cells(&g, s, joins);
    if (!now)
        return;
    struct tensor t = *now;
    t.id = older->memory;
    t.cases = 0;
    if (before)
        fact_join(&t.fact, &before->fact);
    t.unknown |= before && before->unknown;
    t.several = true;
    state_tensor_put(f->scratch, s, t);
}

void memory_move(struct flow *f, struct state *s, const struct loc *from, const struct loc *to)
{
    cell_list all = {0};
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, from->object)); cursor_on(s, &w))
        if (cell->loc->object == from->object)
            LIST_ADD(f->scratch, &all, *cell);
    for (int i = 0; i < all.count; i++)
        state_put(f->scratch, s, loc_rebase(f->heap, all.items[i].loc, from, to),
                  all.items[i].value);
}

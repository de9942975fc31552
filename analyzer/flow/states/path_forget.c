/* What a path says about unknown numbers that nobody can ask about again is forgotten: a check that
 * led to an early return, a number read in one iteration of a loop. Such a number has no other
 * place: no cell holds it or depends on it, and it is not computed from numbers that are held. The
 * runs that are in the state stay the same. */
#include "analyzer/flow/states/states.h"

struct held {
    const struct guards *guards;
    struct conditions *c;
    struct term_marks marks;
};

/* ---- what is held ---------------------------------------------------------------------------- */

static void hold_value(struct held *h, const struct value *v);

static void hold_leaf(void *context, struct leaf leaf)
{
    struct held *h = context;
    if (leaf.kind == LEAF_OTHER)
        hold_value(h, guard_leaf(h->guards, leaf));
}

/* The text that it points to, and the number of the element. */
static void hold_place(struct held *h, const struct loc *l)
{
    if (l->object->is_fresh && l->object->root)
        l->object->root->known->mark = h->marks.walk;
    for (; l && l->any; l = l->parent)
        if (l->index)
            l->index->known->mark = h->marks.walk;
}

/* The numbers that it is, or is a comparison of; those of the texts that it points to. */
static void hold_value(struct held *h, const struct value *v)
{
    for (int k = 0; v->kind == VALUE_ADDRESS && k < v->count; k++)
        hold_place(h, v->as.loc[k]);
    if (v->kind == VALUE_GUARDED) {
        mark_terms(h->c, &h->marks, v->as.guard.cases);
        return;
    }
    if (v->kind != VALUE_NUMBER)
        return;
    for (const struct test *t = v->test; t && t->of; t = t->of->test)
        if (t->of->origin)
            t->of->origin->known->mark = h->marks.walk;
}

static void hold_page(struct held *h, const struct page *p)
{
    for (int i = 0; i < p->count && p->has_unknown; i++)
        if (!p->cells[i].loc->object->is_fresh)
            hold_value(h, &p->cells[i].value);
}

/* Those of x, and of y without those that both share. */
static void hold_cells(struct held *h, const struct state *x, const struct state *y)
{
    for (int i = 0; i < x->pages.count; i++)
        hold_page(h, x->pages.items[i]);
    for (int i = 0, j = 0; y && j < y->pages.count; j++) {
        const struct page *p = y->pages.items[j];
        while (i < x->pages.count && x->pages.items[i]->ids[0] < p->ids[0])
            i++;
        if (i == x->pages.count || x->pages.items[i] != p)
            hold_page(h, p);
    }
}

static void hold_tensors(struct held *h, const struct state *s)
{
    for (int i = 0; i < s->tensors.count; i++)
        if (state_tensor_raw(s, i)->cases)
            mark_terms(h->c, &h->marks, state_tensor_raw(s, i)->cases);
    for (int i = 0; i < s->nodes.count; i++)
        if (state_node_raw(s, i)->cases)
            mark_terms(h->c, &h->marks, state_node_raw(s, i)->cases);
}

/* By x, by y unless it is NULL, and by the blocks from which the code at hand was called; without
 * the branches that were taken. */
static struct held held_in_memory(const struct state *x, const struct state *y)
{
    struct conditions *c = guard_conditions(x->guards);
    struct held h = {x->guards, c, {.walk = mark_begin(c), .leaf = hold_leaf}};
    h.marks.is_in = arena_array(x->arena, bool, term_total(c));
    h.marks.context = &h;
    hold_cells(&h, x, y);
    for (const struct in_use *u = *guards_in_use(x->guards); u; u = u->others)
        for (int i = 0; i < u->count; i++)
            hold_value(&h, &u->values[i]);
    h.marks.leaf = NULL; /* those of tensors and nodes are none of values */
    hold_tensors(&h, x);
    if (y)
        hold_tensors(&h, y);
    return h;
}

static struct held held_by(const struct state *x, const struct state *y)
{
    struct held h = held_in_memory(x, y);
    state_mark_branches(x, &h.marks);
    if (y)
        state_mark_branches(y, &h.marks);
    return h;
}

/* ---- what is not ----------------------------------------------------------------------------- */

/* Whether it is held, or is computed from numbers that are. */
static bool is_known(const struct loc *l, int walk)
{
    const struct loc *const *of = l->object->operands;
    const struct loc *text = l->object->kind == OBJECT_UNKNOWN ? l->object->root : NULL;
    if (!l->object->is_fresh || l->known->mark == walk || (text && text->known->mark == walk))
        return true;
    if (!of)
        return false;
    while (*of && is_known(*of, walk))
        of++;
    return !*of;
}

static bool is_over(const struct held *h, term_id t)
{
    const struct term *term = term_at(h->c, t);
    const struct loc *l = term->kind == TERM_TEXT ? NULL : term->about;
    return !h->marks.is_in[t] && (term->kind == TERM_CHOICE || (l && !is_known(l, h->marks.walk)));
}

/* The terms that a condition, or two, depend on: only these can be forgotten. */
static bool *terms_of(const struct state *s, diagram x, diagram y)
{
    struct conditions *c = guard_conditions(s->guards);
    bool *is = arena_array(s->arena, bool, term_total(c));
    struct term_marks marks = {.walk = mark_begin(c), .is_in = is};
    mark_terms(c, &marks, x);
    mark_terms(c, &marks, y);
    return is;
}

/* Whether one of them may be over, whatever is held. */
static bool may_be_over(const struct conditions *c, const bool *terms)
{
    for (int t = 0; t < term_total(c); t++) {
        const struct term *term = terms[t] ? term_at(c, (term_id)t) : NULL;
        const struct loc *l = term ? term->about : NULL;
        if (term && (term->kind == TERM_CHOICE || (l && l->object->is_fresh)))
            return true;
    }
    return false;
}

/* Leaves those of the terms that are over. */
static const bool *leave_over(const struct held *h, bool *terms)
{
    for (int t = 0; t < term_total(h->c); t++)
        terms[t] = terms[t] && is_over(h, (term_id)t);
    return terms;
}

static bool is_cell_over(const struct cell *cell, const void *what)
{
    const struct held *h = what;
    return cell->loc->object->is_fresh && !is_known(cell->loc, h->marks.walk);
}

static bool any_page(const struct page *p, const void *what)
{
    (void)p;
    (void)what;
    return true;
}

/* ---- forgetting ------------------------------------------------------------------------------ */

/* Few nodes are not worth looking. */
enum { FEW_NODES = 8 };

void state_forget(struct state *s)
{
    struct conditions *c = guard_conditions(s->guards);
    int most = FEW_NODES + 2 * s->path_size;
    if (s->path == DIAGRAM_YES || diagram_size(c, s->path, most) <= most)
        return;
    bool *terms = terms_of(s, s->path, s->path);
    struct held h = held_by(s, NULL);
    s->path = condition_without(c, s->path, leave_over(&h, terms));
    s->path_size = diagram_size(c, s->path, diagram_most(c));
    state_drop_if(s, any_page, is_cell_over, &h);
}

void paths_forget(const struct state *x, const struct state *y, diagram *of_x, diagram *of_y)
{
    struct conditions *c = guard_conditions(x->guards);
    bool *terms = terms_of(x, x->path, y->path);
    *of_x = x->path;
    *of_y = y->path;
    if (!may_be_over(c, terms))
        return;
    struct held h = held_by(x, y);
    const bool *is_dropped = leave_over(&h, terms);
    *of_x = condition_without(c, x->path, is_dropped);
    *of_y = condition_without(c, y->path, is_dropped);
}

bool *terms_held(const struct state *x, const struct state *y)
{
    struct held h = held_in_memory(x, y);
    for (int t = 0; t < term_total(h.c); t++) {
        const struct loc *about = term_at(h.c, (term_id)t)->about;
        h.marks.is_in[t] |= about && about->known->mark == h.marks.walk;
    }
    return h.marks.is_in;
}

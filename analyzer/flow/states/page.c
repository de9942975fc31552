/* Copy-on-write pages: the cells of a state in the order of locations, shared by states until one
 * of them writes.
 *
 * A state writes only pages that carry its own stamp. When a state is forked, both get new
 * stamps: neither writes what the other still reads. Each page summarises its cells, so that
 * searches can skip it. */
#include "analyzer/flow/states/states.h"

#include <string.h>

static uint64_t bit_of(uint64_t n)
{
    return (uint64_t)1 << (n * UINT64_C(0x9e3779b97f4a7c15) >> 58);
}

static uint64_t bit_of_frame(const void *frame)
{
    return frame ? bit_of((uint64_t)(uintptr_t)frame) : 0;
}

static uint64_t bit_of_object(const struct object *o)
{
    return bit_of((uint64_t)o->id);
}

bool page_may_hold(const struct page *p, const struct object *o)
{
    return p->objects & bit_of_object(o);
}

bool page_may_name(const struct page *p, int tensor)
{
    return p->asks || p->names & bit_of((uint64_t)tensor);
}

static void note_targets(struct page *p, const struct value *v)
{
    for (int k = 0; (v->kind == VALUE_ADDRESS || v->kind == VALUE_ANY) && k < v->count; k++)
        p->targets |= target_bit(v->as.loc[k]->object);
    if (v->kind == VALUE_GUARDED && v->as.guard.points)
        p->targets = ~(uint64_t)0;
}

static bool is_fresh(const struct value *v)
{
    for (int k = 0; v->kind == VALUE_ADDRESS && k < v->count; k++)
        if (v->as.loc[k]->object->is_fresh || v->as.loc[k]->any)
            return true;
    return false;
}

static void note_cell(struct page *p, const struct cell *cell)
{
    p->has_named = false;
    p->has_unknown |= cell->value.kind == VALUE_GUARDED ||
                      (cell->value.kind == VALUE_NUMBER && cell->value.test) ||
                      is_fresh(&cell->value);
    p->frames |= bit_of_frame(cell->loc->object->frame);
    p->objects |= bit_of_object(cell->loc->object);
    p->points |= cell->value.kind == VALUE_ADDRESS && cell->value.count;
    p->asks |= cell->value.kind == VALUE_GUARDED ||
               (cell->value.kind != VALUE_TENSOR && (cell->value.query || cell->value.test));
    note_targets(p, &cell->value);
    if (cell->value.kind == VALUE_GUARDED) {
        p->points |= cell->value.as.guard.points;
        p->names |= cell->value.as.guard.names;
    }
    for (int i = 0; cell->value.kind == VALUE_TENSOR && i < cell->value.count; i++)
        p->names |= bit_of((uint64_t)cell->value.as.tensor[i]);
}

static void note_cells(struct page *p)
{
    p->frames = p->objects = p->names = 0;
    p->points = p->asks = p->has_unknown = p->has_named = false;
    p->targets = 0;
    for (int i = 0; i < p->count; i++) {
        p->ids[i] = p->cells[i].loc->id;
        note_cell(p, &p->cells[i]);
    }
}

/* ---- owning ---------------------------------------------------------------------------------- */

static struct page *page_new(struct arena *a, uint64_t owner)
{
    struct page *p = arena_one(a, struct page);
    p->owner = owner;
    return p;
}

static struct page *page_copy(struct arena *a, const struct page *p, uint64_t owner)
{
    struct page *c = arena_copy(a, p, sizeof *p);
    c->owner = owner;
    c->moved = NULL;
    return c;
}

/* A copy of the page that the state may write, if it may not write this one. */
static struct page *own(struct arena *a, struct state *s, int at)
{
    if (s->pages.items[at]->owner != s->stamp)
        s->pages.items[at] = page_copy(a, s->pages.items[at], s->stamp);
    return s->pages.items[at];
}

static struct state *shallow_copy(struct arena *a, const struct state *s)
{
    struct state *c = arena_copy(a, s, sizeof *s);
    c->arena = a;
    c->pages.room = c->pages.count;
    c->pages.items = arena_copy(a, s->pages.items, sizeof *s->pages.items * (size_t)s->pages.count);
    c->shares_tensors = c->shares_nodes = true;
    return c;
}

/* A copy whose lists are its own, in another arena. */
static struct state *deep_copy(struct arena *a, const struct state *s)
{
    struct state *c = shallow_copy(a, s);
    state_tensors_own(c);
    state_nodes_own(c);
    c->is_pruned = s->is_pruned; /* it holds the same */
    return c;
}

struct state *state_fork(struct arena *a, struct state *s)
{
    struct state *c = shallow_copy(a, s);
    s->shares_tensors = s->shares_nodes = true;
    s->stamp = ++*s->stamps;
    c->stamp = ++*s->stamps;
    return c;
}

void state_disown(struct state *s)
{
    s->stamp = ++*s->stamps;
}

struct state *state_copy(struct arena *a, const struct state *s)
{
    struct state *c = deep_copy(a, s);
    c->stamp = ++*s->stamps;
    for (int i = 0; i < c->pages.count; i++)
        c->pages.items[i] = page_copy(a, c->pages.items[i], c->stamp);
    boxes_copy(a, c);
    return c;
}

struct state *state_move(struct arena *a, const struct state *s, uint64_t since)
{
    struct state *c = deep_copy(a, s);
    for (int i = 0; i < c->pages.count; i++) {
        struct page *p = c->pages.items[i];
        if (p->owner <= since)
            continue;
        if (!p->moved)
            p->moved = page_copy(a, p, p->owner);
        c->pages.items[i] = p->moved;
    }
    boxes_move(a, c, since);
    return c;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool is_same_tensor(const struct tensor *a, const struct tensor *b)
{
    return a->id == b->id && a->cases == b->cases && fact_is_alike(&a->fact, &b->fact);
}

static uint64_t differing_names(const struct state *x, const struct state *y)
{
    uint64_t names = 0;
    for (int i = 0, j = 0; i < x->tensors.count || j < y->tensors.count;) {
        const struct tensor *a = i < x->tensors.count ? state_tensor_raw(x, i) : NULL;
        const struct tensor *b = j < y->tensors.count ? state_tensor_raw(y, j) : NULL;
        bool first = a && (!b || a->id <= b->id), second = b && (!a || b->id <= a->id);
        if (!(first && second && is_same_tensor(a, b)))
            names |= bit_of((uint64_t)(first ? a : b)->id);
        i += first;
        j += second;
    }
    return names;
}

bool page_says_the_same(const struct page *p, const struct state *x, const struct state *y,
                        struct difference *d)
{
    if (!page_leads(p))
        return true;
    if (!d->known)
        *d = (struct difference){true, differing_names(x, y)};
    return !(d->names & p->names) && !(d->names && p->points && (x->has_memory || y->has_memory));
}

bool next_cell_pair(struct cell_pair *w)
{
    if (cursor_shares(w->x, w->i, w->y, w->j)) { /* mostly, many in a row */
        struct page *const *x = w->x->pages.items, *const *y = w->y->pages.items;
        int i = w->i.page + 1, j = w->j.page + 1;
        for (; i < w->x->pages.count && j < w->y->pages.count && x[i] == y[j]; i++)
            j++;
        w->i.page = i;
        w->j.page = j;
    }
    const struct cell *a = cell_at(w->x, w->i), *b = cell_at(w->y, w->j);
    if (!a && !b)
        return false;
    bool same = a && b && a->loc == b->loc;
    bool first = same || (a && (!b || a->loc->id < b->loc->id));
    w->a = first ? a : NULL;
    w->b = same || !first ? b : NULL;
    if (w->a)
        cursor_on(w->x, &w->i);
    if (w->b)
        cursor_on(w->y, &w->j);
    return true;
}

/* ---- lookup ---------------------------------------------------------------------------------- */

/* The last page that begins at or before id; the first if none does. */
static int page_from(const struct state *s, int id)
{
    int low = 0, high = s->pages.count;
    while (high - low > 1) {
        int mid = (low + high) / 2;
        if (s->pages.items[mid]->ids[0] <= id)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* Its index in that page, or where it would be inserted. */
static int place_from(const struct page *p, int id)
{
    int i = 0;
    while (i < p->count && p->ids[i] < id)
        i++;
    return i;
}

struct cursor state_seek(const struct state *s, const struct loc *l)
{
    struct cursor w = {.page = page_from(s, l->id)};
    if (w.page < s->pages.count)
        w.at = place_from(s->pages.items[w.page], l->id);
    if (w.page < s->pages.count && w.at == s->pages.items[w.page]->count)
        w = (struct cursor){.page = w.page + 1};
    return w;
}

const struct value *state_get_guarded(const struct state *s, const struct loc *l)
{
    if (!s->pages.count)
        return NULL;
    const struct page *p = s->pages.items[page_from(s, l->id)];
    for (int i = 0; i < p->count; i++)
        if (p->ids[i] == l->id)
            return &p->cells[i].value;
    return NULL;
}

const struct value *state_get(const struct state *s, const struct loc *l)
{
    const struct value *v = state_get_guarded(s, l);
    return v && v->kind == VALUE_GUARDED ? guard_read(s, v) : v;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void add_page(struct arena *a, struct state *s, int at, struct page *p)
{
    LIST_ADD(a, &s->pages, p);
    memmove(&s->pages.items[at + 1], &s->pages.items[at],
            sizeof p * (size_t)(s->pages.count - 1 - at));
    s->pages.items[at] = p;
}

/* Splits a full page in two. */
static void split(struct arena *a, struct state *s, int at)
{
    struct page *p = own(a, s, at), *rest = page_new(a, s->stamp);
    int half = p->count / 2;
    rest->count = p->count - half;
    memcpy(rest->cells, &p->cells[half], sizeof *p->cells * (size_t)rest->count);
    p->count = half;
    note_cells(p);
    note_cells(rest);
    add_page(a, s, at + 1, rest);
}

static void insert(struct arena *a, struct state *s, int at, int i, struct cell cell)
{
    bool last = at == s->pages.count - 1;
    if (!s->pages.count || (last && i == PAGE_CELLS)) { /* most are added at the end */
        at = s->pages.count;
        i = 0;
        add_page(a, s, at, page_new(a, s->stamp));
    } else if (s->pages.items[at]->count == PAGE_CELLS) {
        split(a, s, at);
        int half = s->pages.items[at]->count;
        at += i > half;
        i -= i > half ? half : 0;
    }
    struct page *p = own(a, s, at);
    memmove(&p->cells[i + 1], &p->cells[i], sizeof cell * (size_t)(p->count - i));
    memmove(&p->ids[i + 1], &p->ids[i], sizeof *p->ids * (size_t)(p->count - i));
    p->cells[i] = cell;
    p->ids[i] = cell.loc->id;
    p->count++;
    note_cell(p, &cell);
    s->cell_count++;
}

void state_put(struct arena *a, struct state *s, const struct loc *l, struct value v)
{
    int at = page_from(s, l->id);
    int i = s->pages.count ? place_from(s->pages.items[at], l->id) : 0;
    if (s->pages.count && i < s->pages.items[at]->count && s->pages.items[at]->ids[i] == l->id)
        cell_set(a, s, (struct cursor){at, i}, v);
    else
        insert(a, s, at, i, (struct cell){l, v});
}

/* Whether there may be tensors that nothing else refers to: what state_prune looks for. */
static bool may_hold(const struct state *s, const struct value *v)
{
    if (v->kind == VALUE_GUARDED)
        return v->as.guard.names || (v->as.guard.points && s->has_memory);
    return v->kind == VALUE_TENSOR || (v->kind == VALUE_ADDRESS && s->has_memory);
}

void cell_set(struct arena *a, struct state *s, struct cursor w, struct value v)
{
    struct page *p = own(a, s, w.page);
    s->is_pruned &= !may_hold(s, &p->cells[w.at].value);
    p->cells[w.at].value = v;
    note_cell(p, &p->cells[w.at]);
}

/* ---- dropping -------------------------------------------------------------------------------- */

/* The page without the cells that are dropped; NULL: none remain. */
static struct page *without(struct state *s, int at, cell_test *gone, const void *what)
{
    const struct page *old = s->pages.items[at];
    int kept = 0;
    while (kept < old->count && !gone(&old->cells[kept], what))
        kept++;
    if (kept == old->count)
        return s->pages.items[at];
    s->is_pruned &= !may_hold(s, &old->cells[kept].value);
    struct cell left[PAGE_CELLS];
    int count = 0;
    for (int i = kept + 1; i < old->count; i++)
        if (gone(&old->cells[i], what))
            s->is_pruned &= !may_hold(s, &old->cells[i].value);
        else
            left[count++] = old->cells[i];
    s->cell_count -= old->count - kept - count;
    if (!kept && !count)
        return NULL;
    struct page *p = own(s->arena, s, at);
    memcpy(&p->cells[kept], left, sizeof *left * (size_t)count);
    p->count = kept + count;
    note_cells(p);
    return p;
}

void state_drop_of(struct state *s, const struct object *o, cell_test *gone, const void *what)
{
    if (!s->pages.count || !o->root)
        return;
    int at = page_from(s, o->root->id), kept = at;
    for (; at < s->pages.count && s->pages.items[at]->ids[0] <= o->last_loc; at++) {
        struct page *p = s->pages.items[at];
        if (page_may_hold(p, o))
            p = without(s, at, gone, what);
        if (p)
            s->pages.items[kept++] = p;
    }
    if (kept < at)
        memmove(&s->pages.items[kept], &s->pages.items[at],
                sizeof *s->pages.items * (size_t)(s->pages.count - at));
    s->pages.count -= at - kept;
}

void state_drop_of_frame(struct state *s, const void *frame, cell_test *gone, const void *what)
{
    uint64_t bit = bit_of_frame(frame);
    int kept = 0;
    for (int at = 0; at < s->pages.count; at++) {
        struct page *p = s->pages.items[at];
        if (p->frames & bit)
            p = without(s, at, gone, what);
        if (p)
            s->pages.items[kept++] = p;
    }
    s->pages.count = kept;
}

void state_drop_if(struct state *s, page_test *may, cell_test *gone, const void *what)
{
    int kept = 0;
    for (int at = 0; at < s->pages.count; at++) {
        struct page *p = s->pages.items[at];
        if (may(p, what))
            p = without(s, at, gone, what);
        if (p)
            s->pages.items[kept++] = p;
    }
    s->pages.count = kept;
}

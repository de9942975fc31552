/* Loops over objects that are alike, as the layers of a model are: where an iteration has left
 * everything as it was, but for tensors that took the place of equal ones, and the objects that
 * follow are like the one it was about, so do the iterations over these. They are not run, except
 * for the last. */
#include "analyzer/flow/dynamic/dynamic.h"

#include <string.h>

struct two {
    struct object *a, *b;
};

/* Objects and tensors that correspond to each other, in two states or in one. */
struct alike {
    struct flow *f;
    const struct state *x, *y;
    struct map *to, *back;               /* objects, by their ids plus one */
    struct map *tensor_to, *tensor_back; /* the same of the names of tensors */
    LIST(struct two) todo, all;          /* objects that are to be compared, and all others */
    struct arena *arena;
};

static struct alike alike_between(struct flow *f, struct arena *a, const struct state *x,
                                  const struct state *y)
{
    return (struct alike){.f = f,
                          .x = x,
                          .y = y,
                          .to = map_new(a),
                          .back = map_new(a),
                          .tensor_to = map_new(a),
                          .tensor_back = map_new(a),
                          .arena = a};
}

/* ---- pairs ----------------------------------------------------------------------------------- */

enum pairing { PAIR_REFUSED, PAIR_KNOWN, PAIR_NEW };

/* Each corresponds to one. */
static enum pairing pair(struct map *to, struct map *back, int a, int b)
{
    uint64_t x = (uint64_t)a + 1, y = (uint64_t)b + 1;
    uintptr_t has = (uintptr_t)map_get(to, x), had = (uintptr_t)map_get(back, y);
    if (has || had)
        return has == y && had == x ? PAIR_KNOWN : PAIR_REFUSED;
    map_put(to, x, (void *)(uintptr_t)y);
    map_put(back, y, (void *)(uintptr_t)x);
    return PAIR_NEW;
}

static bool pair_objects(struct alike *l, struct object *a, struct object *b)
{
    enum pairing is = pair(l->to, l->back, a->id, b->id);
    if (is != PAIR_NEW || a == b)
        return is != PAIR_REFUSED;
    LIST_ADD(l->arena, &l->todo, ((struct two){a, b}));
    LIST_ADD(l->arena, &l->all, ((struct two){a, b}));
    return true;
}

/* ---- tensors --------------------------------------------------------------------------------- */

static const struct tensor *tensor_named(const struct state *s, int id)
{
    int at = state_tensor_from(s, id);
    bool is_there = at < s->tensors.count && s->tensors.items[at].id == id;
    return is_there ? state_tensor_raw(s, at) : NULL;
}

static int name_before(const struct alike *l, int id)
{
    uintptr_t was = (uintptr_t)map_get(l->tensor_back, (uint64_t)id + 1);
    return was ? (int)(was - 1) : id;
}

static bool rename_as_before(struct tensor *t, void *what)
{
    const struct alike *l = what;
    t->id = name_before(l, t->id);
    t->storage = name_before(l, t->storage);
    t->kin = name_before(l, t->kin);
    t->history = t->history > 0 ? name_before(l, t->history) : t->history;
    return true;
}

/* The memory that it uses is that of others which correspond. */
static bool pair_memory(struct alike *l, const struct tensor *a, const struct tensor *b)
{
    return pair(l->tensor_to, l->tensor_back, a->storage, b->storage) != PAIR_REFUSED &&
           pair(l->tensor_to, l->tensor_back, a->kin, b->kin) != PAIR_REFUSED;
}

static bool are_tensors_alike(struct alike *l, const struct tensor *a, const struct tensor *b)
{
    if (!a->cases != !b->cases)
        return false;
    tensor_list xs = guard_tensors(l->arena, l->x, a), ys = guard_tensors(l->arena, l->y, b);
    if (xs.count != ys.count)
        return false;
    for (int i = 0; i < xs.count; i++)
        if (!pair_memory(l, xs.items[i], ys.items[i]))
            return false;
    struct tensor same = *b;
    if (b->cases)
        return guard_map_tensor(l->y, b, rename_as_before, l).cases == a->cases;
    rename_as_before(&same, l);
    return !memcmp(&same, a, sizeof same);
}

static bool pair_tensors(struct alike *l, int a, int b)
{
    enum pairing is = pair(l->tensor_to, l->tensor_back, a, b);
    if (is != PAIR_NEW || (a == b && l->x == l->y))
        return is != PAIR_REFUSED;
    const struct tensor *x = tensor_named(l->x, a), *y = tensor_named(l->y, b);
    return x && y && are_tensors_alike(l, x, y);
}

/* ---- values and objects ---------------------------------------------------------------------- */

static struct object *object_at_whole(const struct value *v)
{
    return v->kind == VALUE_ADDRESS && v->count == 1 && !v->as.loc[0]->parent ? v->as.loc[0]->object
                                                                              : NULL;
}

static bool are_values_alike(struct alike *l, const struct value *x, const struct value *y)
{
    struct object *a = object_at_whole(x), *b = object_at_whole(y);
    if (x->kind != y->kind || x->null != y->null || x->test != y->test || x->query != y->query)
        return false;
    if (x->kind == VALUE_TENSOR && x->count == 1 && y->count == 1)
        return pair_tensors(l, x->as.tensor[0], y->as.tensor[0]);
    if (a && b && x->elements == y->elements)
        return pair_objects(l, a, b);
    return value_equal(x, y);
}

static bool is_of_a_kind(const struct object *a, const struct object *b)
{
    const struct dynamic *x = a->is, *y = b->is;
    return x && y && x->kind == y->kind && x->class == y->class && x->name == y->name &&
           x->code == y->code && x->unit == y->unit && !a->many && !b->many &&
           x->kind <= DYNAMIC_METHOD && x->kind != DYNAMIC_FUNCTION;
}

/* The same place in another object; NULL: it has none that is known. */
static const struct loc *place_in(struct alike *l, const struct loc *at, struct object *o)
{
    const struct loc *root = loc_root(l->f->heap, o);
    if (!at->parent)
        return root;
    if (at->parent != at->object->root || at->some_any || at->index)
        return NULL;
    return at->field ? loc_field(l->f->heap, root, at->field)
                     : loc_element(l->f->heap, root, at->element);
}

static int count_cells(const struct state *s, const struct object *o)
{
    int count = 0;
    const struct cell *cell;
    for (struct cursor w = {0}; (cell = cell_of(s, &w, o)); cursor_on(s, &w))
        count += cell->loc->object == o;
    return count;
}

static bool are_objects_alike(struct alike *l, struct object *a, struct object *b)
{
    int count = 0;
    const struct cell *cell;
    if (!is_of_a_kind(a, b))
        return false;
    for (struct cursor w = {0}; (cell = cell_of(l->x, &w, a)); cursor_on(l->x, &w)) {
        if (cell->loc->object != a)
            continue;
        const struct loc *at = place_in(l, cell->loc, b);
        const struct value *other = at ? state_get_guarded(l->y, at) : NULL;
        if (!other || !are_values_alike(l, &cell->value, other))
            return false;
        count++;
    }
    return count_cells(l->y, b) == count;
}

static bool all_are_alike(struct alike *l)
{
    while (l->todo.count) {
        struct two next = l->todo.items[--l->todo.count];
        if (!are_objects_alike(l, next.a, next.b))
            return false;
    }
    return true;
}

/* ---- an iteration ---------------------------------------------------------------------------- */

/* The cell that counts the elements that were taken out. */
struct counted {
    const struct loc *at;
    int64_t before, now;
};

static bool is_count(const struct loc *l, const struct value *x, const struct value *y,
                     struct counted *out)
{
    bool is_index = l->object->is && l->object->is->kind == DYNAMIC_ITERATOR && l->field &&
                    !strcmp(l->field, "(index)");
    if (!is_index || out->at || !number_exact(x, &out->before) || !number_exact(y, &out->now))
        return false;
    out->at = l;
    return out->now == out->before + 1;
}

static bool are_cells_alike(struct alike *l, struct counted *out)
{
    struct cell_pair w = {.x = l->x, .y = l->y};
    while (next_cell_pair(&w)) {
        if (!w.a || !w.b)
            return false;
        const struct value *x = &w.a->value, *y = &w.b->value;
        bool is_same = value_equal(x, y) && x->test == y->test && x->query == y->query;
        bool is_tensor = x->kind == VALUE_TENSOR && y->kind == VALUE_TENSOR;
        if (!is_same && !(is_tensor && are_values_alike(l, x, y)) && !is_count(w.a->loc, x, y, out))
            return false;
    }
    return out->at;
}

/* Those of one name are the same, and the others correspond. */
static bool are_all_tensors_alike(const struct alike *l)
{
    for (int i = 0, j = 0; i < l->x->tensors.count || j < l->y->tensors.count;) {
        const struct tensor *a = i < l->x->tensors.count ? state_tensor_raw(l->x, i) : NULL;
        const struct tensor *b = j < l->y->tensors.count ? state_tensor_raw(l->y, j) : NULL;
        bool is_first = a && (!b || a->id <= b->id), is_second = b && (!a || b->id <= a->id);
        if (is_first && is_second ? a != b && memcmp(a, b, sizeof *a) != 0
            : is_first            ? !map_get(l->tensor_to, (uint64_t)a->id + 1)
                                  : !map_get(l->tensor_back, (uint64_t)b->id + 1))
            return false;
        i += is_first;
        j += is_second;
    }
    return true;
}

static bool are_tapes_the_same(const struct state *x, const struct state *y)
{
    if (x->nodes.count != y->nodes.count)
        return false;
    for (int i = 0; i < x->nodes.count; i++) {
        const struct tape_node *a = state_node_raw(x, i), *b = state_node_raw(y, i);
        if (a != b && memcmp(a, b, sizeof *a) != 0)
            return false;
    }
    return true;
}

static bool are_on_one_path(const struct state *x, const struct state *y)
{
    return x->path == y->path && x->when == y->when && x->missing == y->missing &&
           x->graded == y->graded && x->joined == y->joined && x->blurred == y->blurred &&
           x->past == y->past && x->ends == y->ends && x->lookup_failed == y->lookup_failed &&
           x->has_memory == y->has_memory;
}

/* ---- elements -------------------------------------------------------------------------------- */

static struct object *element_at(struct flow *f, const struct state *s, struct object *list,
                                 int64_t index)
{
    const struct value *v =
        state_get_guarded(s, loc_element(f->heap, loc_root(f->heap, list), index));
    return v ? object_at_whole(v) : NULL;
}

/* Objects that are elements, or parts of them. */
enum { IS_PART = 1, IS_ELEMENT };

static void put_inside(struct map *inside, const struct object *o, int as)
{
    map_put(inside, (uint64_t)o->id + 1, (void *)(uintptr_t)as);
}

/* The first behind the place that is not like the element there. */
static int64_t alike_until(struct flow *f, struct arena *a, const struct state *s,
                           struct object *list, int64_t from, int64_t length, struct map *inside)
{
    struct object *first = element_at(f, s, list, from);
    int64_t at = from + 1;
    for (; first && at < length; at++) {
        struct object *other = element_at(f, s, list, at);
        struct alike l = alike_between(f, a, s, s);
        if (!other || !pair_objects(&l, first, other) || !all_are_alike(&l))
            break;
        for (int i = 0; i < l.all.count; i++) {
            put_inside(inside, l.all.items[i].a, i ? IS_PART : IS_ELEMENT);
            put_inside(inside, l.all.items[i].b, i ? IS_PART : IS_ELEMENT);
        }
    }
    return at;
}

struct leading {
    const struct map *inside;
};

static bool leads_inside(const struct value *v, const void *what)
{
    const struct leading *l = what;
    for (int k = 0; (v->kind == VALUE_ADDRESS || v->kind == VALUE_ANY) && k < v->count; k++)
        if ((uintptr_t)map_get(l->inside, (uint64_t)v->as.loc[k]->object->id + 1) == IS_PART)
            return true;
    return false;
}

/* Whether something else leads to a part of an element: what is done to that one could be seen in
 * some of the iterations only. */
static bool is_led_to(const struct state *s, const struct map *inside)
{
    const struct cell *cell;
    struct leading l = {inside};
    for (struct cursor w = {0}; (cell = cell_at(s, w)); cursor_on(s, &w)) {
        const struct value *v = &cell->value;
        if (map_get(inside, (uint64_t)cell->loc->object->id + 1))
            continue;
        if (v->kind == VALUE_GUARDED ? v->as.guard.points && guard_any(s, v, leads_inside, &l)
                                     : leads_inside(v, &l))
            return true;
    }
    return false;
}

static int64_t next_to_run(struct dyn *d, struct arena *a, const struct counted *c)
{
    const struct value *of = dyn_get(d, c->at->object, "(of)");
    struct object *list = of ? dyn_object(of) : NULL;
    bool is_list = list && (list->is->kind == DYNAMIC_LIST || list->is->kind == DYNAMIC_TUPLE);
    int64_t length = is_list ? container_length(d, of) : -1;
    if (length <= c->now + 1 || list->many || dyn_get(d, list, "(first)"))
        return c->now;
    struct map *inside = map_new(a);
    int64_t until = alike_until(d->p->f, a, d->p->s, list, c->before, length, inside);
    until = until < length ? until : length - 1; /* the last one is run in any case */
    return until > c->now && !is_led_to(d->p->s, inside) ? until : c->now;
}

void alike_skip(struct flow *f, const struct frame *fr, const struct state *before,
                struct state *now)
{
    struct path p = {.f = f, .fr = fr, .s = now};
    struct dyn d = {.p = &p};
    struct counted counted = {0};
    if (!are_on_one_path(before, now) || !are_tapes_the_same(before, now))
        return;
    struct arena *a = arena_new();
    struct alike l = alike_between(f, a, before, now);
    if (are_cells_alike(&l, &counted) && !l.todo.count && are_all_tensors_alike(&l)) {
        int64_t next = next_to_run(&d, a, &counted);
        if (next > counted.now)
            state_put(f->scratch, now, counted.at, value_int(next));
    }
    arena_free(a);
}

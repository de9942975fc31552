/* The head of a loop: places that need not be one of several ways. Numbers that count become
 * ranges, real numbers that change again any number, pointers that walk along numbers point to any
 * of them, and a place that stands for several elements holds one set. */
#include "analyzer/flow/states/loop.h"

static diagram differ(struct conditions *c, void *context, diagram x, diagram y)
{
    (void)c;
    (void)context;
    return x == y ? DIAGRAM_NO : DIAGRAM_YES;
}

diagram loop_unlike(struct loop *l, diagram x, diagram y)
{
    static const struct diagram_op op = {.id = DIAGRAM_OPS, .on_leaves = differ};
    return diagram_apply(l->c, &op, x, y);
}

diagram loop_where_changed(struct loop *l, const struct slot *slot)
{
    return diagram_simplify(l->c, loop_unlike(l, slot->before, slot->after), l->s->path);
}

/* What is at a place of the head. */
struct content {
    struct loop *l;
    const struct loc *at;
};

static struct value plain_at(const struct content *c, const struct value *v)
{
    struct value plain = loop_plain(*v);
    if (loop_is_own_text(c->l, c->at, v))
        plain.as.loc[0] = v->as.loc[0];
    return plain;
}

static bool strip(struct value *v, const void *what)
{
    struct value plain = plain_at(what, v);
    bool has = plain.test != v->test || plain.query != v->query || plain.origin != v->origin ||
               !value_equal(&plain, v);
    *v = plain;
    return has;
}

/* One of a few numbers: which one is an unknown of its own. */
static diagram each_number(const struct state *s, const struct value *v)
{
    struct conditions *c = guard_conditions(s->guards);
    term_id t = choice_make(c, v->count);
    diagram all = DIAGRAM_NO;
    for (int i = v->count - 1; i >= 0; i--) {
        struct value one = value_int(v->as.number[i]);
        one.is_bool = v->is_bool;
        one.unit = v->unit;
        diagram leaf = guard_cases(s, &one);
        all = i == v->count - 1
                  ? leaf
                  : diagram_choose(c, diagram_within(c, t, (struct domain){0, i}), leaf, all);
    }
    return all;
}

static bool is_number(const struct value *v)
{
    return v->kind == VALUE_NUMBER && !v->is_real;
}

diagram loop_cases(struct loop *l, const struct state *s, const struct loc *at,
                   const struct value *v)
{
    struct content is = {l, at};
    struct value plain = v->kind == VALUE_GUARDED ? guard_map(s, v, strip, &is) : plain_at(&is, v);
    diagram cases = guard_cases(s, &plain);
    value_list all = guard_values(l->arena, s, &plain);
    for (int i = 0; i < all.count; i++)
        if (is_number(all.items[i]) && all.items[i]->count > 1 && !value_is_initial(all.items[i]))
            cases = diagram_bind(guard_conditions(s->guards), cases, guard_cases(s, all.items[i]),
                                 each_number(s, all.items[i]));
    return cases;
}

static bool are_all_exact(struct loop *l, const struct state *s, const struct value *v)
{
    value_list all = guard_values(l->arena, s, v);
    for (int i = 0; i < all.count; i++)
        if (!all.items[i]->count)
            return false;
    return true;
}

/* How often it got other values. */
static int times_grown(const struct ways *w, const struct loc *l)
{
    int times = 0;
    for (int i = 0; i < w->numbers.count; i++)
        times += w->numbers.items[i] == l;
    return times;
}

static bool is_flat(struct ways *w, const struct loc *l)
{
    for (int i = 0; i < w->flat.count; i++)
        if (w->flat.items[i] == l)
            return true;
    return false;
}

void loop_put(struct loop *l, const struct loc *at, struct value v)
{
    const struct value *before = state_get_guarded(l->head, at);
    l->grew |= !before || !value_says_the_same(before, &v);
    state_put(l->arena, l->head, at, v);
}

/* A number that is no choice becomes a range: without the bound beyond which it went. */
static void widen_number(struct loop *l, const struct loc *at, const struct value *x,
                         const struct value *y)
{
    bool was_range = x->kind == VALUE_NUMBER && !x->count;
    struct value before = guard_union(l->head, x), now = guard_union(l->s, y);
    struct value v = value_either(&before, &now);
    if (was_range && value_equal(x, &v) && !value_is_initial(x))
        return;
    struct value any =
        value_range(value_low(&now) < value_low(&before) ? INT64_MIN : value_low(&before),
                    value_high(&now) > value_high(&before) ? INT64_MAX : value_high(&before));
    any.is_bool = v.is_bool;
    any.unit = v.unit;
    loop_put(l, at, any);
}

/* In how many steps a number was computed; 0: in none. */
static int steps_of(const struct value *v)
{
    const struct loc *of = value_is_initial(v) ? v->test->of->origin : NULL;
    return of ? of->object->steps : 0;
}

static int most_steps(const value_list *all)
{
    int most = 0;
    for (int i = 0; i < all->count; i++)
        most = steps_of(all->items[i]) > most ? steps_of(all->items[i]) : most;
    return most;
}

/* The iteration changed it to what it was before in others. What is computed from the result of the
 * iteration before is another one, however alike they are. */
static bool has_no_other(struct loop *l, const struct value *x, const struct value *y)
{
    value_list before = guard_values(l->arena, l->head, x), now = guard_values(l->arena, l->s, y);
    for (int i = 0; i < now.count; i++) {
        int k = 0;
        while (k < before.count && !value_equal(before.items[k], now.items[i]))
            k++;
        if (k == before.count)
            return false;
    }
    return most_steps(&now) <= most_steps(&before);
}

/* A number of a type that can select something counts if it gets others again and again. */
enum { MAX_GROWN = 4 };
static bool keeps_growing(struct loop *l, const struct loc *at, const struct value *x,
                          const struct value *y)
{
    if (has_no_other(l, x, y))
        return false;
    LIST_ADD(l->arena, &l->ways->numbers, at);
    return times_grown(l->ways, at) > MAX_GROWN;
}

/* Which of the parts into which all numbers were divided: no more than one of a few. */
static bool are_all_parts(struct loop *l, const struct state *s, const struct value *v)
{
    value_list all = guard_values(l->arena, s, v);
    for (int i = 0; i < all.count; i++) {
        const struct value *one = all.items[i];
        if (one->count != 1 && !(value_is_initial(one) && one->test->of->origin->object->is_part))
            return false;
    }
    return true;
}

static bool is_count(struct loop *l, const struct loc *at, const struct value *x,
                     const struct value *y)
{
    if (!guard_is_number(l->head, x) || !guard_is_number(l->s, y))
        return false;
    if (l->ways->is_recursion && are_all_parts(l, l->head, x) && are_all_parts(l, l->s, y))
        return false;
    if (loc_is_choice(at))
        return keeps_growing(l, at, x, y);
    if (at->object->counts || !are_all_exact(l, l->head, x) || !are_all_exact(l, l->s, y))
        return true;
    if (times_grown(l->ways, at))
        return !has_no_other(l, x, y);
    struct slot slot = {.before = loop_cases(l, l->head, at, x),
                        .after = loop_cases(l, l->s, at, y)};
    bool always = loop_where_changed(l, &slot) == DIAGRAM_YES;
    if (!always)
        LIST_ADD(l->arena, &l->ways->numbers, at);
    return always;
}

static bool are_all_real(struct loop *l, const struct state *s, const struct value *v)
{
    value_list all = guard_values(l->arena, s, v);
    for (int i = 0; i < all.count; i++)
        if (all.items[i]->kind != VALUE_NUMBER || !all.items[i]->is_real)
            return false;
    return true;
}

/* A real number that gets another value again is any. */
static bool widen_real(struct loop *l, const struct loc *at, const struct value *x,
                       const struct value *y)
{
    if (!are_all_real(l, l->head, x) || !are_all_real(l, l->s, y) || has_no_other(l, x, y))
        return false;
    LIST_ADD(l->arena, &l->ways->numbers, at);
    if (times_grown(l->ways, at) < 2)
        return false;
    loop_put(l, at, value_unknown_real());
    return true;
}

/* How a pointer is looked at. */
struct walk {
    struct heap *heap;
    const struct type *pointee; /* what it is declared to point to; NULL: not known */
    bool ignores_null;
};

static struct walk walk_of(const struct loop *l, const struct loc *at, bool ignores_null)
{
    const struct type *pointer = loc_type(at);
    bool is_pointer = pointer && pointer->kind == TYPE_POINTER;
    return (struct walk){l->ways->heap, is_pointer ? pointer->of : NULL, ignores_null};
}

/* What each element is. That of allocated memory is what the pointer says. */
static const struct type *element_in(const struct walk *w, const struct loc *whole)
{
    const struct type *type = loc_type(whole);
    if (whole->object->memory && (!type || type->kind == TYPE_VOID))
        return w->pointee;
    return type && type->kind == TYPE_ARRAY ? type->of : type;
}

/* The numbers or texts that a pointer points into; NULL: it points to something else. */
static const struct loc *numbers_at(const struct walk *w, const struct value *v)
{
    const struct loc *to = v->kind == VALUE_ADDRESS && v->count == 1 ? v->as.loc[0] : NULL;
    const struct loc *whole = to && to->parent && !to->field ? to->parent : to;
    const struct type *type = whole ? element_in(w, whole) : NULL;
    bool fits =
        type && (type->kind == TYPE_INT || type->kind == TYPE_FLOAT || type_is_string(type));
    return fits ? whole : NULL;
}

static bool to_any(struct value *v, const void *walk)
{
    const struct walk *w = walk;
    const struct loc *whole = numbers_at(w, v);
    if (!whole)
        return false;
    v->as.loc[0] = loc_element(w->heap, whole, ELEMENT_ANY);
    *v = loop_plain(*v);
    v->null = w->ignores_null ? TRI_NO : v->null;
    return true;
}

/* The pointer at any place of the numbers that it points into. */
static struct value walked(const struct walk *w, const struct state *s, const struct value *v)
{
    struct value any = *v;
    if (v->kind == VALUE_GUARDED)
        return guard_map(s, v, to_any, w);
    to_any(&any, w);
    return any;
}

static bool may_be_null(struct loop *l, const struct state *s, const struct value *v)
{
    value_list all = guard_values(l->arena, s, v);
    for (int i = 0; i < all.count; i++)
        if (value_can_be_zero(all.items[i]))
            return true;
    return false;
}

static diagram cases_on_path(struct loop *l, const struct state *s, const struct value *v)
{
    return diagram_simplify(l->c, guard_cases(s, v), l->s->path);
}

/* Whether a pointer walks: an iteration leaves it at some place of what it pointed into before.
 * Whoever moves it on knows that it is not null, and may not have known where it began. */
static bool walks(struct loop *l, const struct loc *at, const struct value *x,
                  const struct value *y)
{
    const struct walk w = walk_of(l, at, true);
    struct value from = walked(&w, l->head, x), to = walked(&w, l->s, y);
    if (cases_on_path(l, l->head, &from) != cases_on_path(l, l->s, &to))
        return false;
    const struct walk as_is = walk_of(l, at, false);
    struct value all = walked(&as_is, l->head, x);
    return !value_equal(&to, y) || value_equal(&all, x);
}

/* A pointer that moves along numbers, such as those of a text: it may be at any of them. */
static bool widen_walk(struct loop *l, const struct loc *at, const struct value *x,
                       const struct value *y)
{
    const struct walk w = walk_of(l, at, false);
    if (!walks(l, at, x, y) || (may_be_null(l, l->s, y) && !may_be_null(l, l->head, x)))
        return false;
    struct value from = walked(&w, l->head, x);
    if (!value_equal(&from, x))
        loop_put(l, at, from);
    return true;
}

/* The text that a place holds after so many iterations that found others: it is the same whenever
 * it is read behind this loop. */
static struct value some_text(struct loop *l, const struct loc *at)
{
    struct key key = key_of(KEY_LOOP_TEXT, (uint64_t)at->id, (uint64_t)l->ways->since);
    if (at->field == text_field)
        return value_of_loc(unknown_text_at(l->ways->heap, key));
    struct object *o = object_at(l->ways->heap, key, OBJECT_UNKNOWN, "", loc_type(at)->of);
    o->unknown_contents = true;
    return value_of_loc(loc_root(l->ways->heap, o));
}

/* Pointers to characters, and what one array of characters holds. */
static bool holds_text(const struct loc *at)
{
    const struct type *type = loc_type(at);
    if (at->field == text_field)
        return !at->some_any && !at->object->many;
    return type && type_is_string(type);
}

static bool is_text_or_null(struct loop *l, const struct value *v, const struct value *some)
{
    value_list all = guard_values(l->arena, l->head, v);
    for (int i = 0; i < all.count; i++)
        if (!value_equal(all.items[i], some) && !value_is_null_constant(all.items[i]))
            return false;
    return all.count > 0;
}

bool loop_put_text(struct loop *l, const struct loc *at, const struct value *x,
                   const struct value *y, bool is_apart)
{
    if (!holds_text(at))
        return false;
    struct value some = some_text(l, at), none = value_null();
    some.as.loc[0]->object->is_apart |= is_apart;
    bool is_pointer = at->field != text_field, /* no text at all is an empty one */
        was_optional = is_pointer && may_be_null(l, l->head, x),
         is_optional = was_optional || (is_pointer && may_be_null(l, l->s, y));
    if (is_text_or_null(l, x, &some) && was_optional == is_optional)
        return true;
    loop_put(l, at,
             is_optional ? guard_choose(l->head, guard_new_choice(l->head->guards), &none, &some)
                         : some);
    l->head->guarded |= is_optional;
    return true;
}

/* A value that stands for all that either can be. */
void loop_put_joined(struct loop *l, const struct loc *at, const struct value *x,
                     const struct value *y)
{
    struct value all = value_nothing;
    value_list leaves[2] = {guard_values(l->arena, l->head, x), guard_values(l->arena, l->s, y)};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < leaves[k].count; i++)
            all = value_join(l->arena, l->head, &all, leaves[k].items[i]);
    const struct type *type = loc_type(at); /* of what the program can name */
    if (is_number(&all) && type) {          /* one of them, which whoever reads it knows again */
        struct value any = all.count ? all : value_range(INT64_MIN, INT64_MAX);
        any.is_bool = all.is_bool;
        any.unit = all.unit;
        loop_put(l, at, any);
        return;
    }
    l->head->blurred = l->head->joined = true;
    loop_put(l, at, all);
}

/* Which of several it is depends, if on anything, on what happens in the loop. */
static bool is_of_loop(struct loop *l, const struct value *v)
{
    term_id first =
        v->kind == VALUE_GUARDED ? diagram_term_since(l->c, v->as.guard.cases, 0) : TERM_NONE;
    return first == TERM_NONE || first >= l->ways->since;
}

static bool are_all_pointers(const value_list *all)
{
    for (int i = 0; i < all->count; i++)
        if (all->items[i]->kind != VALUE_TENSOR && all->items[i]->kind != VALUE_ADDRESS)
            return false;
    return true;
}

/* A place that stands for several holds what any of them does: one of the sets that iterations lead
 * to says no more than all of them together. */
static bool widen_several(struct loop *l, const struct loc *at, const struct value *x,
                          const struct value *y)
{
    bool is_one = !at->object->many && !loc_is_visited(at) && (!at->some_any || at->any);
    if (is_one || loop_is_of_family(l, l->head, at) || !is_of_loop(l, x) || !is_of_loop(l, y))
        return false;
    value_list of[2] = {guard_values(l->arena, l->head, x), guard_values(l->arena, l->s, y)};
    if (!are_all_pointers(&of[0]) || !are_all_pointers(&of[1]))
        return false;
    struct value all = value_nothing;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < of[k].count; i++) {
            struct value one = loop_plain(*of[k].items[i]);
            all = value_join(l->arena, l->head, &all, &one);
        }
    if (!value_equal(x, &all))
        loop_put(l, at, all);
    return true;
}

bool loop_widen(struct loop *l, const struct loc *at, const struct value *x, const struct value *y)
{
    if (is_count(l, at, x, y)) {
        widen_number(l, at, x, y);
        return true;
    }
    if (widen_real(l, at, x, y))
        return true;
    if (is_flat(l->ways, at)) {
        if (!loop_put_text(l, at, x, y, false))
            loop_put_joined(l, at, x, y);
        return true;
    }
    return widen_walk(l, at, x, y) || widen_several(l, at, x, y);
}

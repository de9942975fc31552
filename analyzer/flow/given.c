/* Numbers that come from outside, or that nobody can compute: what one of them is stays the same
 * wherever it is copied to, and what a branch says of one copy holds of all.
 *
 * Each has a home, a place that no program can name, where a state keeps what it has learnt of it;
 * nothing there: nothing was learnt. It is the number that was put last at some location: once
 * another is put there, those who hold the one before hold a number that is like no other. Bits of
 * such a number have homes of their own. */
#include "analyzer/flow/run.h"

/* ---- which there are --------------------------------------------------------------------------
 */

static struct test *number_new(struct flow *f, uint64_t key, const struct type *type,
                               const struct loc *of, struct value all)
{
    struct object *home = object_at(f->heap, key, OBJECT_MADE, "", type);
    struct loc *at = (struct loc *)loc_root(f->heap, home);
    struct test *t = arena_one(f->kept, struct test);
    all.test = t;
    all.origin = at;
    *t =
        (struct test){.arith = ARITH_NE, .of = arena_copy(f->kept, &all, sizeof all), .same = true};
    t->root = t;
    t->mask = -1;
    t->bit = (uint64_t)1 << (at->id & 63);
    all.origin = NULL;
    at->initial = arena_copy(f->kept, &all, sizeof all);
    home->unknown_contents = true;
    home->number = t;
    home->number_at = of;
    return t;
}

const struct test *given_at(struct flow *f, const struct loc *l, const struct type *type)
{
    struct value all = unknown_number(type);
    if (!l->given)
        ((struct loc *)l)->given = number_new(f, key_of((uint64_t)l->id, 151, 0), type, l, all);
    return value_equal(l->given->of, &all) ? l->given : NULL;
}

/* A comparison with a number, the same each time. */
const struct test *given_compared(struct flow *f, const struct value *x, enum ir_arith arith,
                                  int64_t n)
{
    struct test *given = (struct test *)x->test;
    for (struct test *t = given->made; t; t = t->next)
        if (!t->same && t->arith == arith && t->number == n)
            return t;
    struct test *t = arena_one(f->kept, struct test);
    *t = (struct test){
        .arith = arith, .number = n, .of = given->of, .root = given->root, .next = given->made};
    given->made = t;
    return t;
}

/* ---- what is known of one ---------------------------------------------------------------------
 */

const struct value *given_now(const struct state *s, const struct test *given)
{
    const struct value *now = s->has_homes ? state_get(s, given->of->origin) : NULL;
    return now ? now : given->of;
}

struct value given_known(const struct state *s, struct value v)
{
    const struct test *t = v.test;
    struct value known = v;
    const struct loc *home = (t->same ? t : t->of->test)->of->origin;
    const struct value *now = s->has_homes ? state_get(s, home) : NULL;
    if (t->same) {
        known = now ? *now : v;
    } else {
        int answer = value_answer(t->arith, now ? now : t->of, t->number);
        if (answer >= 0)
            known = value_int(answer);
    }
    known.is_bool = v.is_bool;
    known.test = t;
    return known;
}

void given_put(struct flow *f, struct state *s, const struct test *given, struct value v)
{
    v.test = given;
    v.origin = NULL;
    s->has_homes = true;
    state_put(f->scratch, s, given->of->origin, v);
}

/* ---- another number is put where one was ------------------------------------------------------
 */

static bool may_be_home(const struct page *p, const void *what)
{
    (void)what;
    return p->homes;
}

static bool is_aged_home(const struct slot *slot, const void *root)
{
    const struct test *number = slot->loc->object->number;
    return number && number->root == root;
}

/* Whoever holds it keeps what is known of it by now. */
static bool age_page(struct flow *f, struct state *s, int p, const struct test *root)
{
    bool home = false;
    for (int i = 0; i < s->pages.items[p]->count; i++) {
        const struct slot *slot = &s->pages.items[p]->slots[i];
        home |= is_aged_home(slot, root);
        if (slot->loc->object->number || !value_is_about(&slot->value, root))
            continue;
        struct value v = slot->value.count == 1 ? slot->value : given_known(s, slot->value);
        v.test = NULL;
        v.origin = NULL;
        slot_set(f->scratch, s, (struct cursor){p, i}, v);
    }
    return home;
}

static void age(struct flow *f, struct state *s, const struct test *root)
{
    bool homes = false;
    ((struct test *)root)->aged = ++f->ages;
    for (int p = 0; p < s->pages.count; p++)
        if (s->pages.items[p]->homes || s->pages.items[p]->given & root->bit)
            homes |= age_page(f, s, p, root);
    if (homes)
        state_drop_if(s, may_be_home, is_aged_home, root);
}

/* What it says is about nothing that anybody could ask again. */
static bool says_nothing(const struct value *v)
{
    const struct test *t = v->test;
    return !value_ask(v) && (!t || (!t->root && !t->of->origin && says_nothing(t->of)));
}

/* It can be less than all that one of its type can be. */
static bool is_narrower(const struct value *v, const struct value *all)
{
    return v->count || value_low(v) > value_low(all) || value_high(v) < value_high(all);
}

/* A character, an element of more than anybody would choose by one by one, or part of an operand
 * that is put together. */
static bool is_data(const struct loc *l, const struct type *type)
{
    enum { FEW = 16, BYTE = 8 };
    bool element = l->parent && !l->field;
    const struct type *array = element ? loc_type(l->parent) : NULL;
    bool few = array && array->kind == TYPE_ARRAY && array->count <= FEW;
    return (type->kind == TYPE_INT && type->bits == BYTE) || (element && !few) ||
           !l->object->name || !*l->object->name;
}

struct value given_fresh(struct flow *f, struct state *s, const struct loc *l,
                         const struct type *type, struct value v)
{
    bool number = v.kind == VALUE_NUMBER && !v.is_real && v.count != 1 && says_nothing(&v);
    bool any = v.kind == VALUE_ANY && !v.count;
    bool whole = type && (type->kind == TYPE_INT || type->kind == TYPE_BOOL);
    if (!(number || any) || !whole || l->some_any || l->object->many || l->object->again ||
        l->object->counter || is_data(l, type))
        return v;
    const struct test *known = l->given, *t = given_at(f, l, type);
    if (!t)
        return v;
    if (known)
        age(f, s, t);
    ((struct test *)t)->vague |= any;
    if (!number || type->kind == TYPE_BOOL || !is_narrower(&v, t->of))
        v = *t->of;
    else
        given_put(f, s, t, v);
    v.test = t;
    v.origin = NULL;
    v.is_bool = type->kind == TYPE_BOOL;
    return v;
}

struct value given_since(struct value v, int64_t ages)
{
    if (v.test && v.test->root && v.test->root->aged > ages) {
        v.test = NULL;
        v.origin = NULL;
    }
    return v;
}

/* ---- once nobody holds it ---------------------------------------------------------------------
 */

static bool is_any_unheld(const struct page *p, uint64_t held)
{
    bool any = false;
    for (int i = 0; p->homes && i < p->count; i++) {
        const struct test *number = p->slots[i].loc->object->number;
        any |= number && !(number->root->bit & held);
    }
    return any;
}

static bool is_unheld(const struct slot *slot, const void *held)
{
    const struct test *number = slot->loc->object->number;
    return number && !(number->root->bit & *(const uint64_t *)held);
}

void given_prune(struct state *s, const struct value *but)
{
    uint64_t held = but && but->test && but->test->root ? but->test->root->bit : 0;
    bool any = false;
    for (int p = 0; p < s->pages.count && s->has_homes; p++)
        held |= s->pages.items[p]->given;
    for (int p = 0; p < s->pages.count && s->has_homes && !any; p++)
        any = is_any_unheld(s->pages.items[p], held);
    if (any)
        state_drop_if(s, may_be_home, is_unheld, &held);
}

/* ---- bits -------------------------------------------------------------------------------------
 */

/* ((x >> shift) & mask) ^ flip, of a number x. */
struct bits {
    int64_t mask, flip;
    int shift;
};

/* What the bits can be: few, one by one. */
static struct value all_of(struct bits b)
{
    struct value v = {.kind = VALUE_NUMBER};
    uint64_t mask = (uint64_t)b.mask, part = 0;
    if (b.mask < 0 || b.flip)
        return value_range(INT64_MIN, INT64_MAX);
    do { /* all that have no other bits, in order */
        if (v.count == VALUE_MAX)
            return value_range(0, b.mask);
        v.as.number[v.count++] = (int64_t)part;
        part = (part - mask) & mask;
    } while (part);
    return v;
}

static const struct test *bits_at(struct flow *f, const struct test *of, struct bits b,
                                  const struct type *type)
{
    struct test *root = (struct test *)of->root;
    if (b.mask == root->mask && !b.flip && !b.shift)
        return root;
    for (struct test *t = root->made; t; t = t->next)
        if (t->same && t->mask == b.mask && t->flip == b.flip && t->shift == b.shift)
            return t;
    const struct loc *home = root->of->origin;
    uint64_t key = key_of(key_of((uint64_t)home->id, 157, (uint64_t)b.shift), (uint64_t)b.mask,
                          (uint64_t)b.flip);
    struct test *t = number_new(f, key, type, home->object->number_at, all_of(b));
    t->root = root;
    t->mask = b.mask;
    t->flip = b.flip;
    t->shift = b.shift;
    t->next = root->made;
    return root->made = t;
}

/* False: the operation leaves more than bits. */
static bool bits_after(struct bits *b, enum ir_arith arith, int64_t n, int64_t low)
{
    enum { MOST = 62 };
    switch ((int)arith) {
    case ARITH_AND:
        *b = (struct bits){b->mask & n, b->flip & n, b->shift};
        return true;
    case ARITH_OR:
        *b = (struct bits){b->mask & ~n, (b->flip & ~n) | n, b->shift};
        return true;
    case ARITH_XOR:
        b->flip ^= n;
        return true;
    case ARITH_SHR: /* of one that is never negative, whatever it is taken for */
        if (n < 0 || n > MOST - b->shift || low < 0)
            return false;
        *b = (struct bits){b->mask >> n, b->flip >> n, b->shift + (int)n};
        return true;
    default:
        return false;
    }
}

bool given_bits(struct flow *f, const struct state *s, const struct ir_inst *i,
                const struct value *x, const struct value *y, struct value *result)
{
    int64_t n;
    bool turned = i->arith == ARITH_AND || i->arith == ARITH_OR || i->arith == ARITH_XOR;
    if (turned && number_exact(x, &n)) {
        const struct value *other = x;
        x = y;
        y = other;
    }
    if (!value_is_given(x) || x->count == 1 || x->is_bool || !number_exact(y, &n))
        return false;
    struct bits b = {x->test->mask, x->test->flip, x->test->shift};
    if (!bits_after(&b, i->arith, n, value_low(x->test->root->of)))
        return false;
    const struct test *bits = b.mask ? bits_at(f, x->test, b, i->type) : NULL;
    *result = bits ? *given_now(s, bits) : value_int(b.flip);
    result->test = bits;
    result->origin = NULL;
    return true;
}

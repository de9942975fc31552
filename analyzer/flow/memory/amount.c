/* Sizes that are not known: a factor times unknown numbers, such as 4 * rows * cols. Two of the
 * same numbers are compared by their factors. The numbers are initial values of locations; what was
 * computed as a product is taken apart again, and what a call returned as the size of a tensor is
 * noted as that size. */
#include "analyzer/flow/memory/memory.h"

#include <string.h>

enum { MAX_DEPTH = 8 };

static bool take(struct amount *a, const struct loc *number)
{
    int at = a->count;
    if (at == AMOUNT_MOST)
        return false;
    for (; at > 0 && a->of[at - 1]->id > number->id; at--)
        a->of[at] = a->of[at - 1];
    a->of[at] = number;
    a->count++;
    return true;
}

bool amount_times(struct amount *a, const struct amount *by)
{
    bool fits = !__builtin_mul_overflow(a->factor, by->factor, &a->factor);
    for (int i = 0; i < by->count && fits; i++)
        fits = take(a, by->of[i]);
    return fits;
}

bool amount_is_alike(const struct amount *a, const struct amount *b)
{
    return a->count == b->count && memcmp(a->of, b->of, sizeof *a->of * (size_t)a->count) == 0;
}

/* ---- of numbers ------------------------------------------------------------------------------ */

static void **noted_at(struct flow *f, const struct loc *number)
{
    const uint64_t words[] = {COMPUTATION_AMOUNT, (uint64_t)number->id};
    return memo_at(f->computations, words, COUNT(words));
}

static bool of_loc(struct flow *f, const struct loc *number, int depth, struct amount *out);

static bool of_side(struct flow *f, const struct operation_side *s, int depth, struct amount *out)
{
    *out = (struct amount){.factor = s->number};
    return s->loc ? of_loc(f, s->loc, depth, out) : s->number > 0;
}

/* A product, or a shift by a constant. */
static bool of_operation(struct flow *f, const struct operation *o, int depth, struct amount *out)
{
    enum { SHIFT_MOST = 31 };
    struct amount y;
    bool shifts =
        o->arith == ARITH_SHL && !o->y.loc && o->y.number >= 0 && o->y.number <= SHIFT_MOST;
    if (depth == MAX_DEPTH || (o->arith != ARITH_MUL && !shifts) ||
        !of_side(f, &o->x, depth + 1, out))
        return false;
    if (shifts)
        y = (struct amount){.factor = INT64_C(1) << o->y.number};
    return (shifts || of_side(f, &o->y, depth + 1, &y)) && amount_times(out, &y);
}

static bool of_loc(struct flow *f, const struct loc *number, int depth, struct amount *out)
{
    const struct amount *noted = *noted_at(f, number);
    const struct operation *o = number->parent ? NULL : number->object->operation;
    if (noted) {
        *out = *noted;
        return true;
    }
    if (o && of_operation(f, o, depth, out))
        return true;
    *out = (struct amount){.factor = 1};
    return take(out, number);
}

bool amount_of_value(struct flow *f, const struct value *v, struct amount *out)
{
    int64_t n;
    if (number_exact(v, &n)) {
        *out = (struct amount){.factor = n};
        return n > 0;
    }
    return value_is_initial(v) && !v->is_real && of_loc(f, v->test->of->origin, 0, out);
}

struct value amount_value(struct flow *f, const struct amount *a)
{
    if (!a->count)
        return value_int(a->factor);
    struct value v = identified(f, value_range(0, INT64_MAX));
    if (value_is_initial(&v))
        *noted_at(f, v.test->of->origin) = arena_copy(f->kept, a, sizeof *a);
    return v;
}

/* ---- of tensors and memory ------------------------------------------------------------------- */

const struct extent *extent_at(struct flow *f, int count, const struct amount *dims)
{
    uint64_t words[2 + SHAPE_MAX * (2 + AMOUNT_MOST)] = {COMPUTATION_EXTENT, (uint64_t)count};
    size_t n = 2;
    struct extent made = {.count = count};
    for (int i = 0; i < count; i++) {
        made.dims[i] = dims[i];
        words[n++] = (uint64_t)dims[i].factor;
        words[n++] = (uint64_t)dims[i].count;
        for (int k = 0; k < dims[i].count; k++)
            words[n++] = (uint64_t)dims[i].of[k]->id;
    }
    void **at = memo_at(f->computations, words, n);
    if (!*at)
        *at = arena_copy(f->kept, &made, sizeof made);
    return *at;
}

/* How many elements a tensor of unknown shape has: the same number as long as it has the name. */
static const struct loc *count_of(struct flow *f, int tensor)
{
    struct object *o =
        object_at(f->heap, key_of(KEY_ELEMENTS, (uint64_t)tensor, 0), OBJECT_MADE, "numel", NULL);
    return loc_root(f->heap, o);
}

bool amount_of_elements(struct flow *f, const struct fact *fact, int tensor, struct amount *out)
{
    int64_t known = shape_elements(fact->shape);
    *out = (struct amount){.factor = known >= 0 ? known : 1};
    for (int i = 0; known < 0 && fact->extent && i < fact->extent->count; i++)
        if (!amount_times(out, &fact->extent->dims[i]))
            return false;
    return known > 0 || (known < 0 && (fact->extent || (tensor && take(out, count_of(f, tensor)))));
}

/* ---- text ------------------------------------------------------------------------------------ */

const char *amount_numbers(struct flow *f, const struct amount *a)
{
    struct text out = {0};
    for (int i = 0; i < a->count; i++) {
        const struct loc *l = a->of[i];
        const char *name = l->field ? l->field : l->parent ? NULL : l->object->name;
        text_printf(&out, "%s%s", i ? " * " : "", name && *name ? name : "n");
    }
    const char *kept = name_of(f->names, out.data ? out.data : "");
    text_free(&out);
    return kept;
}

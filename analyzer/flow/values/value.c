/* Abstract values: numbers, addresses, tensors and functions. */
#include "analyzer/flow/values/values.h"

#include <string.h>

const struct value value_any = {.kind = VALUE_ANY, .null = TRI_MAYBE};
const struct value value_nothing = {.kind = VALUE_NOTHING};

struct value value_int(int64_t n)
{
    return (struct value){.kind = VALUE_NUMBER, .count = 1, .as.number = {n}};
}

struct value value_range(int64_t low, int64_t high)
{
    struct value v = {.kind = VALUE_NUMBER};
    if (low == high)
        return value_int(low);
    v.as.range.low = low;
    v.as.range.high = high;
    return v;
}

enum { SMALL = 64 };

uint64_t value_small_bit(int64_t n)
{
    return n >= 0 && n < SMALL ? (uint64_t)1 << n : 0;
}

/* Bits of the numbers below n. */
static uint64_t small_below(int64_t n)
{
    return n <= 0 ? 0 : n >= SMALL ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

struct value value_range_without(int64_t low, int64_t high, uint64_t isnt)
{
    while (low < high && value_small_bit(low) & isnt)
        low++;
    while (low < high && value_small_bit(high) & isnt)
        high--;
    if (low > high || (low == high && value_small_bit(low) & isnt))
        return value_nothing;
    struct value v = value_range(low, high);
    if (!v.count)
        v.as.range.isnt = isnt & small_below(high) & ~small_below(low);
    return v;
}

uint64_t value_isnt(const struct value *v)
{
    uint64_t is = 0;
    for (int i = 0; i < v->count; i++)
        is |= value_small_bit(v->as.number[i]);
    if (v->count)
        return ~is;
    uint64_t above = v->as.range.high == INT64_MAX ? 0 : ~small_below(v->as.range.high + 1);
    return v->as.range.isnt | small_below(v->as.range.low) | above;
}

bool value_can_be(const struct value *v, int64_t n)
{
    for (int i = 0; i < v->count; i++)
        if (v->as.number[i] == n)
            return true;
    return !v->count && v->as.range.low <= n && n <= v->as.range.high &&
           !(v->as.range.isnt & value_small_bit(n));
}

struct value value_real(double r)
{
    return (struct value){.kind = VALUE_NUMBER, .is_real = true, .has_real = true, .as.real = r};
}

struct value value_unknown_real(void)
{
    return (struct value){.kind = VALUE_NUMBER, .is_real = true};
}

struct value value_null(void)
{
    return (struct value){.kind = VALUE_ADDRESS, .null = TRI_YES};
}

struct value value_of_tensor(int id)
{
    return (struct value){.kind = VALUE_TENSOR, .null = TRI_NO, .count = 1, .as.tensor = {id}};
}

struct value value_of_loc(const struct loc *l)
{
    return (struct value){.kind = VALUE_ADDRESS, .null = TRI_NO, .count = 1, .as.loc = {l}};
}

struct value value_of_function(const struct ir_function *f)
{
    return (struct value){.kind = VALUE_FUNCTION, .null = TRI_NO, .count = 1, .as.function = {f}};
}

static bool same_names(const struct value *a, const struct value *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->as.loc[i] != b->as.loc[i])
            return false;
    return true;
}

static bool same_number(const struct value *a, const struct value *b)
{
    if (a->is_real != b->is_real || a->is_bool != b->is_bool || a->names != b->names ||
        a->unit != b->unit || a->count != b->count)
        return false;
    if (a->is_real)
        return a->has_real == b->has_real && (!a->has_real || a->as.real == b->as.real);
    if (!a->count)
        return a->as.range.low == b->as.range.low && a->as.range.high == b->as.range.high &&
               a->as.range.isnt == b->as.range.isnt;
    return !memcmp(a->as.number, b->as.number, sizeof *a->as.number * a->count);
}

bool value_equal(const struct value *a, const struct value *b)
{
    if (a->kind != b->kind)
        return false;
    switch ((enum value_kind)a->kind) {
    case VALUE_NOTHING:
    case VALUE_ZEROED:
        return true;
    case VALUE_ANY:
        return same_names(a, b);
    case VALUE_NUMBER:
        return same_number(a, b);
    case VALUE_TENSOR:
        return a->null == b->null && a->count == b->count &&
               !memcmp(a->as.tensor, b->as.tensor, sizeof *a->as.tensor * a->count);
    case VALUE_ADDRESS:
        return a->null == b->null && a->elements == b->elements && same_names(a, b);
    case VALUE_GUARDED:
        return a->as.guard.cases == b->as.guard.cases;
    case VALUE_FUNCTION:
        return a->null == b->null && a->count == b->count &&
               !memcmp(value_functions(a), value_functions(b),
                       sizeof *value_functions(a) * a->count);
    }
    return false;
}

bool value_says_the_same(const struct value *a, const struct value *b)
{
    bool initial = value_is_initial(a) || value_is_initial(b);
    return value_equal(a, b) && (!initial || a->test == b->test);
}

bool value_can_be_zero(const struct value *v)
{
    if (v->kind == VALUE_TENSOR || v->kind == VALUE_ADDRESS || v->kind == VALUE_FUNCTION)
        return v->null & TRI_YES;
    if (v->kind != VALUE_NUMBER)
        return true;
    if (v->is_real)
        return !v->has_real || v->as.real == 0;
    return value_can_be(v, 0);
}

bool value_can_be_nonzero(const struct value *v)
{
    if (v->kind == VALUE_TENSOR || v->kind == VALUE_ADDRESS || v->kind == VALUE_FUNCTION)
        return v->null & TRI_NO;
    if (v->kind != VALUE_NUMBER)
        return true;
    if (v->is_real)
        return !v->has_real || v->as.real != 0;
    for (int i = 0; i < v->count; i++)
        if (v->as.number[i] != 0)
            return true;
    return !v->count;
}

struct value value_zero_of(const struct type *type)
{
    if (type && type->kind == TYPE_POINTER)
        return value_null();
    return type && type->kind == TYPE_FLOAT ? value_real(0) : value_int(0);
}

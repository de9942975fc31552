/* The union of two values, without a state: tensors are names. */
#include "analyzer/flow/values/values.h"

#include <string.h>

/* Paths are distinguished by what is known of initial values. For other numbers a range is
 * enough, and makes loops that count terminate. */
static uint64_t isnt_either(const struct value *x, const struct value *y)
{
    return value_is_initial(x) && x->test == y->test ? value_isnt(x) & value_isnt(y) : 0;
}

static struct value join_numbers(const struct value *x, const struct value *y)
{
    struct value v = *x;
    v.test = NULL;
    v.query = NULL;
    if (x->is_real || y->is_real) {
        v = value_unknown_real();
        v.is_real = x->is_real && y->is_real;
        return v.is_real ? v : value_any;
    }
    if (x->names != y->names)
        return value_any;
    v.unit = x->unit == y->unit ? x->unit : DTYPE_NONE;
    v.is_bool = x->is_bool && y->is_bool;
    if (x->count && y->count) {
        int64_t merged[VALUE_MAX * 2];
        int n = 0, i = 0, j = 0;
        while (i < x->count || j < y->count) {
            int64_t next = j == y->count || (i < x->count && x->as.number[i] <= y->as.number[j])
                               ? x->as.number[i++]
                               : y->as.number[j++];
            if (!n || merged[n - 1] != next)
                merged[n++] = next;
        }
        if (n <= VALUE_MAX) {
            v.count = (uint8_t)n;
            memcpy(v.as.number, merged, sizeof *merged * (size_t)n);
            return v;
        }
    }
    int64_t xl = value_low(x), yl = value_low(y), xh = value_high(x), yh = value_high(y);
    struct value r = value_range_without(xl < yl ? xl : yl, xh > yh ? xh : yh, isnt_either(x, y));
    r.is_bool = v.is_bool;
    r.names = v.names;
    r.unit = v.unit;
    return r;
}

/* Sets of names, sorted; false: too many. */
static bool merge_tensors(struct value *into, const struct value *y)
{
    for (int j = 0; j < y->count; j++) {
        int i = 0;
        while (i < into->count && into->as.tensor[i] < y->as.tensor[j])
            i++;
        if (i < into->count && into->as.tensor[i] == y->as.tensor[j])
            continue;
        if (into->count == VALUE_MAX)
            return false;
        memmove(&into->as.tensor[i + 1], &into->as.tensor[i],
                sizeof *into->as.tensor * (size_t)(into->count - i));
        into->as.tensor[i] = y->as.tensor[j];
        into->count++;
    }
    return true;
}

static bool merge_locs(struct value *into, const struct value *y)
{
    for (int j = 0; j < y->count; j++) {
        int i = 0;
        while (i < into->count && into->as.loc[i]->id < y->as.loc[j]->id)
            i++;
        if (i < into->count && into->as.loc[i] == y->as.loc[j])
            continue;
        if (into->count == VALUE_MAX)
            return false;
        memmove(&into->as.loc[i + 1], &into->as.loc[i],
                sizeof *into->as.loc * (size_t)(into->count - i));
        into->as.loc[i] = y->as.loc[j];
        into->count++;
    }
    return true;
}

/* In order of arrival; false: too many. */
static bool merge_functions(struct arena *a, struct value *into, const struct value *y)
{
    const struct ir_function *all[2 * FUNCTIONS_MAX];
    int count = into->count;
    memcpy(all, value_functions(into), sizeof *all * (size_t)count);
    for (int j = 0; j < y->count; j++) {
        int i = 0;
        while (i < count && all[i] != value_functions(y)[j])
            i++;
        if (i == count)
            all[count++] = value_functions(y)[j];
    }
    if (count > FUNCTIONS_MAX || (count > VALUE_MAX && !a))
        return false;
    if (count > VALUE_MAX && count > into->count)
        into->as.functions = arena_copy(a, all, sizeof *all * (size_t)count);
    else if (count <= VALUE_MAX)
        memcpy(into->as.function, all, sizeof *all * (size_t)count);
    into->count = (uint8_t)count;
    return true;
}

/* More locations than a value can hold: only the objects they are in. VALUE_ANY without objects
 * if these are too many, too. */
static struct value somewhere(const struct value *x, const struct value *y)
{
    struct value v = value_any;
    for (int side = 0; side < 2; side++) {
        const struct value *from = side ? y : x;
        for (int i = 0; i < from->count; i++) {
            const struct loc *root = from->as.loc[i]->object->root;
            int k = 0;
            while (k < v.count && v.as.loc[k] != root)
                k++;
            if (k == VALUE_MAX || !root)
                return value_any;
            v.as.loc[k] = root;
            v.count = (uint8_t)(k == v.count ? k + 1 : v.count);
        }
    }
    return v;
}

/* NULL points to nothing, whatever its type. */
static dtype_set join_elements(const struct value *x, const struct value *y)
{
    if (!x->count || !y->count || x->elements == y->elements)
        return x->count ? x->elements : y->elements;
    return (dtype_set)((x->elements ? x->elements : DTYPES_UNTYPED) |
                       (y->elements ? y->elements : DTYPES_UNTYPED));
}

bool value_union(struct arena *a, const struct value *x, const struct value *y, struct value *out)
{
    struct value v = *x;
    v.test = NULL;
    v.query = NULL;
    v.origin = x->origin == y->origin ? x->origin : NULL;
    *out = value_any;
    if (x->kind == VALUE_NOTHING || y->kind == VALUE_NOTHING) {
        *out = x->kind == VALUE_NOTHING ? *y : *x;
        return true;
    }
    if (value_is_null_constant(x) && (y->kind == VALUE_TENSOR || y->kind == VALUE_FUNCTION)) {
        *out = *y;
        out->null |= TRI_YES;
        return true;
    }
    if (value_is_null_constant(y) && (x->kind == VALUE_TENSOR || x->kind == VALUE_FUNCTION)) {
        v.null |= TRI_YES;
        *out = v;
        return true;
    }
    if ((x->kind == VALUE_ANY && x->count && y->kind == VALUE_ADDRESS) ||
        (y->kind == VALUE_ANY && y->count && (x->kind == VALUE_ADDRESS || x->kind == VALUE_ANY))) {
        *out = somewhere(x, y);
        return true;
    }
    if (x->kind != y->kind)
        return true;
    v.null |= y->null;
    switch ((enum value_kind)x->kind) {
    case VALUE_NUMBER:
        *out = join_numbers(x, y);
        break;
    case VALUE_TENSOR:
        if (!merge_tensors(&v, y))
            return false;
        *out = v;
        break;
    case VALUE_ADDRESS:
        v.elements = join_elements(x, y);
        *out = merge_locs(&v, y) ? v : somewhere(x, y);
        break;
    case VALUE_FUNCTION:
        *out = merge_functions(a, &v, y) ? v : value_any;
        break;
    case VALUE_NOTHING:
    case VALUE_ANY:
    case VALUE_ZEROED:
    case VALUE_GUARDED:
        break;
    }
    return true;
}

struct value value_either(const struct value *x, const struct value *y)
{
    struct value all;
    return value_union(NULL, x, y, &all) ? all : value_any;
}

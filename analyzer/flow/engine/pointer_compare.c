/* Comparisons of two pointers: whether a cast returned the tensor that it was given, whether a list
 * has come back to its head, whether the end of an array is reached. */
#include "analyzer/flow/engine/engine.h"

/* Each gives 1: equal, 0: different, -1: not known. */

static int same_tensor(const struct state *s, const struct value *x, const struct value *y)
{
    const struct tensor *a = state_tensor(s, x->as.tensor[0]),
                        *b = state_tensor(s, y->as.tensor[0]);
    if (!a || !b || a->several || b->several)
        return -1;
    if (a->id == b->id)
        return 1;
    return a->unknown || b->unknown || tensor_shares(a, b) != TRI_NO ? -1 : 0;
}

static bool is_one_object(const struct object *o)
{
    return !o->many && !o->again;
}

/* Known to be none of those that came from outside. */
static bool is_own(const struct object *o)
{
    return o->kind != OBJECT_UNKNOWN || o->memory;
}

static int same_place(const struct loc *a, const struct loc *b)
{
    bool known =
        !a->some_any && !b->some_any && is_one_object(a->object) && is_one_object(b->object);
    if (a == b)
        return known ? 1 : -1;
    return a->object != b->object && is_own(a->object) && is_own(b->object) ? 0 : -1;
}

/* Which element of an array it is, or of what a pointer is to the first of. */
static const struct loc *array_of(const struct loc *l, int64_t *element)
{
    bool is_element = l->parent && !l->field;
    *element = is_element ? l->element : 0;
    return is_element ? l->parent : l;
}

/* Of two elements of one array. */
static bool compare_elements(enum ir_arith arith, const struct loc *a, const struct loc *b,
                             struct value *out)
{
    int64_t i, k;
    const struct loc *in = array_of(a, &i);
    if (in != array_of(b, &k) || in->some_any || !is_one_object(in->object) || i == ELEMENT_ANY ||
        k == ELEMENT_ANY)
        return false;
    *out = value_int(arith_holds(arith, i, k));
    return true;
}

bool pointer_compare(const struct state *s, enum ir_arith arith, const struct value *x,
                     const struct value *y, struct value *out)
{
    int same = -1;
    if (x->kind != y->kind || x->count != 1 || y->count != 1)
        return false;
    if (x->kind == VALUE_ADDRESS && x->null & TRI_NO && y->null & TRI_NO &&
        compare_elements(arith, x->as.loc[0], y->as.loc[0], out))
        return true; /* whether or not there was memory for the array */
    if (x->null != TRI_NO || y->null != TRI_NO)
        return false;
    if (x->kind == VALUE_TENSOR)
        same = same_tensor(s, x, y);
    else if (x->kind == VALUE_ADDRESS)
        same = same_place(x->as.loc[0], y->as.loc[0]);
    else if (x->kind == VALUE_FUNCTION)
        same = value_functions(x)[0] == value_functions(y)[0];
    if (same < 0 || (arith != ARITH_EQ && arith != ARITH_NE))
        return false;
    *out = value_int(same == (arith == ARITH_EQ));
    return true;
}

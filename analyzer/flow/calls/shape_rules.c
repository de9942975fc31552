/* Shapes of results: of tensors made with constant sizes, and of elementwise ops and products of
 * those. No fact depends on them; they are for whoever wants to run a call. An unknown size is
 * -1, an unknown shape is NULL. Where a size is a number with an identity, the extent has it. */
#include "analyzer/flow/calls/calls.h"

static const struct shape *operand_shape(const struct choice *choices, int param)
{
    return param >= 0 && choices[param].is_tensor ? choices[param].fact.shape : NULL;
}

/* ---- constant sizes -------------------------------------------------------------------------- */

/* The array is in the same record as the count, in another field. */
static const struct loc *sizes_at(const struct pack_call *call, const struct pack_param *count,
                                  const char *field)
{
    const struct value *v =
        count->argument < call->arg_count ? &call->args[count->argument] : &value_any;
    if (v->kind != VALUE_ADDRESS || v->count != 1 || !count->path[0])
        return NULL;
    const struct loc *l = v->as.loc[0];
    for (int i = 0; i + 1 < 3 && count->path[i + 1]; i++)
        l = loc_field(call->f->heap, l, name_of(call->f->names, count->path[i]));
    return loc_field(call->f->heap, l, name_of(call->f->names, field));
}

/* In a loop whose iterations are joined, a number that is another one each time has no identity
 * that lasts. */
static bool size_lasts(const struct flow *f, const struct value *v)
{
    return !f->joins_iterations || !value_is_initial(v) || !v->test->of->origin->object->is_fresh;
}

/* The sizes, where some are not known but all have an identity; else NULL. */
static const struct extent *extent_of_sizes(const struct pack_call *call, const struct loc *at,
                                            const struct shape *known)
{
    struct amount dims[SHAPE_MAX];
    bool all = shape_elements(known) < 0 && call->f->merges;
    for (int i = 0; i < known->count && all; i++) {
        struct value v =
            memory_read(call->f, call->fr, call->s, loc_element(call->f->heap, at, i), NULL);
        all = size_lasts(call->f, &v) && amount_of_value(call->f, &v, &dims[i]);
    }
    return all ? extent_at(call->f, known->count, dims) : NULL;
}

static const struct shape *shape_of_sizes(const struct pack_call *call,
                                          const struct extent **extent)
{
    int64_t dims[SHAPE_MAX], count;
    const struct pack_shape *rule = &call->fn->shape;
    const struct loc *at = sizes_at(call, &call->fn->params[rule->of[0]], rule->field);
    if (!at || !number_exact(&call->choices[rule->of[0]].value, &count) || count < 0 ||
        count > SHAPE_MAX)
        return NULL;
    for (int64_t i = 0; i < count; i++) {
        struct value v =
            memory_read(call->f, call->fr, call->s, loc_element(call->f->heap, at, i), NULL);
        if (!number_exact(&v, &dims[i]) || dims[i] < 0)
            dims[i] = -1;
    }
    const struct shape *made = shape_at(call->f->heap, (int)count, dims);
    *extent = extent_of_sizes(call, at, made);
    return made;
}

/* ---- shapes of ops --------------------------------------------------------------------------- */

/* The common size of two dimensions; -2: they do not match. */
static int64_t common_size(int64_t a, int64_t b)
{
    if (a == 1 || b == 1)
        return a == 1 ? b : a;
    if (a < 0 || b < 0)
        return a < 0 ? b : a; /* it is the same, or 1 */
    return a == b ? a : -2;
}

/* Dimensions are matched from the last; missing ones are 1. The last `but` are left out. */
static bool broadcast(const struct shape *a, const struct shape *b, int but, struct shape *out)
{
    int x = a->count > but ? a->count - but : 0, y = b->count > but ? b->count - but : 0;
    out->count = x > y ? x : y;
    for (int i = 1; i <= out->count; i++) {
        int64_t size = common_size(i <= x ? a->dims[x - i] : 1, i <= y ? b->dims[y - i] : 1);
        if (size == -2)
            return false;
        out->dims[out->count - i] = size;
    }
    return true;
}

/* Vectors are rows and columns that are dropped afterwards. */
static bool multiply(const struct shape *a, const struct shape *b, struct shape *out)
{
    if (!a->count || !b->count || !broadcast(a, b, 2, out))
        return false;
    if (a->count > 1 && out->count < SHAPE_MAX)
        out->dims[out->count++] = a->dims[a->count - 2];
    if (b->count > 1 && out->count < SHAPE_MAX)
        out->dims[out->count++] = b->dims[b->count - 1];
    return true;
}

/* The second is a matrix; each of its rows gives one number. */
static bool apply_linear(const struct shape *a, const struct shape *b, struct shape *out)
{
    if (!a->count || b->count != 2)
        return false;
    *out = *a;
    out->dims[out->count - 1] = b->dims[0];
    return true;
}

static const struct shape *shape_of_two(const struct pack_call *call)
{
    const struct pack_shape *rule = &call->fn->shape;
    const struct shape *a = operand_shape(call->choices, rule->of[0]);
    const struct shape *b = operand_shape(call->choices, rule->of[1]);
    bool number = rule->of[1] >= 0 && !call->choices[rule->of[1]].is_tensor;
    struct shape out = {0};
    if (rule->rule == SHAPE_BROADCAST && number)
        return a;
    if (!a || !b)
        return NULL;
    bool fits = rule->rule == SHAPE_MATMUL   ? multiply(a, b, &out)
                : rule->rule == SHAPE_LINEAR ? apply_linear(a, b, &out)
                                             : broadcast(a, b, 0, &out);
    return fits ? shape_at(call->f->heap, out.count, out.dims) : NULL;
}

/* ---- the result ------------------------------------------------------------------------------ */

/* A shape whose rank is not among the known ranks is not the result's: the op reduces it, as a
 * loss does, or may. */
static bool has_rank(const struct fact *fact, const struct shape *shape)
{
    return shape && (!fact->ranks || fact->ranks == 1u << shape->count);
}

void shape_assign(const struct pack_call *call, const struct value *result)
{
    const struct shape *shape = NULL;
    const struct extent *extent = NULL;
    int like = call->fn->shape.of[0];
    switch (call->fn->shape.rule) {
    case SHAPE_UNKNOWN:
        return;
    case SHAPE_LIKE:
        shape = operand_shape(call->choices, like);
        extent = shape ? call->choices[like].fact.extent : NULL;
        break;
    case SHAPE_BROADCAST:
    case SHAPE_MATMUL:
    case SHAPE_LINEAR:
        shape = shape_of_two(call);
        break;
    case SHAPE_SIZES:
        shape = shape_of_sizes(call, &extent);
        break;
    }
    for (int k = 0; result->kind == VALUE_TENSOR && k < result->count; k++) {
        struct tensor *t = state_tensor_own(call->s, result->as.tensor[k]);
        if (t && t->how && t->how->inst == call->inst && t->how->function == call->fr->code->fn) {
            t->fact.shape = has_rank(&t->fact, shape) ? shape : NULL;
            t->fact.extent = t->fact.shape ? extent : NULL;
        }
    }
}

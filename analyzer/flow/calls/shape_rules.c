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

/* All elements of the operand are those of the result, so that one size follows from the others. */
static void deduce_size(const struct pack_call *call, int count, int64_t *dims)
{
    const struct shape *of =
        call->fn->values == VALUES_SAME ? operand_shape(call->choices, call->fn->alias_of) : NULL;
    int64_t all = of ? shape_elements(of) : -1, others = 1;
    int left_out = -1;
    for (int i = 0; i < count; i++) {
        if (dims[i] < 0 && left_out >= 0)
            return;
        if (dims[i] < 0)
            left_out = i;
        else
            others = dims[i] && others <= INT32_MAX && dims[i] <= INT32_MAX ? others * dims[i] : 0;
    }
    if (left_out >= 0 && all > 0 && others > 0 && all % others == 0)
        dims[left_out] = all / others;
}

/* The sizes that a call by a signature is given. */
static const struct shape *shape_of_values(const struct pack_call *call)
{
    int64_t dims[SHAPE_MAX];
    if (call->size_count < 0 || call->size_count > SHAPE_MAX)
        return NULL;
    for (int i = 0; i < call->size_count; i++)
        if (!number_exact(&call->sizes[i], &dims[i]) || dims[i] < 0)
            dims[i] = -1;
    deduce_size(call, call->size_count, dims);
    return shape_at(call->f->heap, call->size_count, dims);
}

static const struct shape *shape_of_sizes(const struct pack_call *call,
                                          const struct extent **extent)
{
    if (call->bound)
        return shape_of_values(call);
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
    deduce_size(call, (int)count, dims);
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

/* Numbers among the operands have none. */
static const struct shape *shape_of_all(const struct pack_call *call)
{
    const struct pack_shape *rule = &call->fn->shape;
    const struct shape *all = operand_shape(call->choices, rule->of[0]);
    for (int k = 1; k < COUNT(rule->of) && all; k++) {
        struct shape out = {0};
        const struct shape *next = operand_shape(call->choices, rule->of[k]);
        if (rule->of[k] < 0 || !call->choices[rule->of[k]].is_tensor)
            continue;
        all = next && broadcast(all, next, 0, &out) ? shape_at(call->f->heap, out.count, out.dims)
                                                    : NULL;
    }
    return all;
}

static const struct shape *shape_of_two(const struct pack_call *call)
{
    const struct pack_shape *rule = &call->fn->shape;
    const struct shape *a = operand_shape(call->choices, rule->of[0]);
    const struct shape *b = operand_shape(call->choices, rule->of[1]);
    struct shape out = {0};
    if (!a || !b)
        return NULL;
    bool fits = rule->rule == SHAPE_MATMUL ? multiply(a, b, &out) : apply_linear(a, b, &out);
    return fits ? shape_at(call->f->heap, out.count, out.dims) : NULL;
}

/* ---- dimensions by a number ------------------------------------------------------------------ */

static bool exact_param(const struct pack_call *call, int param, int64_t *n)
{
    return param >= 0 && call->choices[param].used && number_exact(&call->choices[param].value, n);
}

/* The dimension that a number means, of so many; false: none. */
static bool find_dim(int64_t n, int count, int *dim)
{
    n += n < 0 ? count : 0;
    *dim = (int)n;
    return n >= 0 && n < count;
}

static bool insert_dim(const struct shape *x, int64_t at, struct shape *out)
{
    int dim;
    if (x->count == SHAPE_MAX || !find_dim(at, x->count + 1, &dim))
        return false;
    out->count = x->count + 1;
    for (int i = 0; i < out->count; i++)
        out->dims[i] = i == dim ? 1 : x->dims[i - (i > dim)];
    return true;
}

static bool remove_dim(const struct shape *x, int64_t at, struct shape *out)
{
    int dim;
    if (!find_dim(at, x->count, &dim))
        return false;
    out->count = x->count - 1;
    for (int i = 0; i < out->count; i++)
        out->dims[i] = x->dims[i + (i >= dim)];
    return true;
}

static bool append_dim(const struct shape *x, int64_t size, struct shape *out)
{
    if (x->count == SHAPE_MAX)
        return false;
    *out = *x;
    out->dims[out->count++] = size < 0 ? -1 : size;
    return true;
}

static bool change_last(const struct shape *x, int64_t size, struct shape *out)
{
    if (!x->count)
        return false;
    *out = *x;
    out->dims[out->count - 1] = size < 0 ? -1 : size;
    return true;
}

static const struct shape *shape_by_number(const struct pack_call *call)
{
    const struct pack_shape *rule = &call->fn->shape;
    const struct shape *x = operand_shape(call->choices, rule->of[0]);
    struct shape out = {0};
    int64_t n = -1;
    bool is_known = exact_param(call, rule->of[1], &n), is_first = rule->rule == SHAPE_PREPEND,
         may_be_unknown = rule->rule == SHAPE_APPEND || rule->rule == SHAPE_LAST;
    if (!x || (!is_known && !may_be_unknown && !is_first))
        return NULL;
    bool fits = rule->rule == SHAPE_INSERT   ? insert_dim(x, n, &out)
                : is_first                   ? insert_dim(x, 0, &out)
                : rule->rule == SHAPE_LAST   ? change_last(x, n, &out)
                : rule->rule == SHAPE_REMOVE ? remove_dim(x, n, &out)
                                             : append_dim(x, n, &out);
    return fits ? shape_at(call->f->heap, out.count, out.dims) : NULL;
}

/* The integer; `otherwise` if it was left out. */
static bool number_or(const struct pack_call *call, enum param_role role, int64_t otherwise,
                      int64_t *n)
{
    int param = pack_param_with(call->fn, role);
    const struct value *v =
        param >= 0 && call->choices[param].used ? &call->choices[param].value : NULL;
    *n = otherwise;
    return !v || value_is_null_constant(v) || number_exact(v, n);
}

static const struct shape *shape_of_count(const struct pack_call *call)
{
    int64_t n, start, step;
    int of = call->fn->shape.of[0];
    if (call->fn->params[of].role == ROLE_LENGTH)
        return exact_param(call, of, &n) && n >= 0 && n <= INT32_MAX
                   ? shape_at(call->f->heap, 1, &n)
                   : NULL;
    if (!exact_param(call, of, &n) || !number_or(call, ROLE_START, 0, &start) ||
        !number_or(call, ROLE_STEP, 1, &step) || step <= 0 || n < start || n > INT32_MAX ||
        start < INT32_MIN)
        return NULL;
    return shape_at(call->f->heap, 1, (int64_t[]){(n - start + step - 1) / step});
}

/* The dimensions from start to end become one. */
static const struct shape *shape_flattened(const struct pack_call *call)
{
    const struct shape *x = operand_shape(call->choices, call->fn->shape.of[0]);
    int64_t from, to;
    int first, last;
    struct shape out = {0};
    if (!x || !x->count || !number_or(call, ROLE_START, 0, &from) ||
        !number_or(call, ROLE_END, -1, &to) || !find_dim(from, x->count, &first) ||
        !find_dim(to, x->count, &last))
        return NULL;
    for (int i = 0; i < x->count; i++) {
        bool joins = i > first && i <= last;
        int64_t *before = joins ? &out.dims[out.count - 1] : &out.dims[out.count++];
        if (!joins)
            *before = x->dims[i];
        else if (*before < 0 || x->dims[i] < 0 || *before * x->dims[i] > INT32_MAX)
            *before = -1;
        else
            *before *= x->dims[i];
    }
    return shape_at(call->f->heap, out.count, out.dims);
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* The numbers of the dimensions: in a record, or given to a call by a signature. */
static bool read_dims(const struct pack_call *call, int param, int64_t count, int64_t *out)
{
    const char *field = call->fn->shape.field;
    const struct loc *dims =
        call->bound || !field ? NULL : sizes_at(call, &call->fn->params[param], field);
    if (count > SHAPE_MAX || (call->bound ? call->size_count != count : !dims))
        return false;
    for (int64_t i = 0; i < count; i++) {
        struct value v = call->bound ? call->sizes[i]
                                     : memory_read(call->f, call->fr, call->s,
                                                   loc_element(call->f->heap, dims, i), NULL);
        if (!number_exact(&v, &out[i]))
            return false;
    }
    return true;
}

bool shape_reduced_dims(const struct pack_call *call, int rank, bool *gone)
{
    int param = pack_param_with(call->fn, ROLE_DIM_COUNT);
    int64_t count, dims[SHAPE_MAX];
    int at;
    if (param < 0 || call->fn->shape.rule != SHAPE_REDUCE || !exact_param(call, param, &count) ||
        (count && !read_dims(call, param, count, dims)))
        return false;
    for (int i = 0; i < rank; i++)
        gone[i] = !count; /* none is given: all of them */
    for (int64_t i = 0; i < count; i++) {
        if (!find_dim(dims[i], rank, &at))
            return false;
        gone[at] = true;
    }
    return true;
}

/* With the dimensions gone, or each 1: whichever has the rank of the result. */
static const struct shape *shape_reduced(const struct pack_call *call, uint16_t ranks)
{
    const struct shape *x = operand_shape(call->choices, call->fn->shape.of[0]);
    bool gone[SHAPE_MAX];
    struct shape less = {0}, same = {0};
    if (!x || !x->count || !shape_reduced_dims(call, x->count, gone))
        return NULL;
    for (int i = 0; i < x->count; i++) {
        same.dims[same.count++] = gone[i] ? 1 : x->dims[i];
        if (!gone[i])
            less.dims[less.count++] = x->dims[i];
    }
    const struct shape *is = ranks == 1u << less.count   ? &less
                             : ranks == 1u << same.count ? &same
                                                         : NULL;
    return is ? shape_at(call->f->heap, is->count, is->dims) : NULL;
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
        shape = shape_of_all(call);
        break;
    case SHAPE_MATMUL:
    case SHAPE_LINEAR:
        shape = shape_of_two(call);
        break;
    case SHAPE_SIZES:
        shape = shape_of_sizes(call, &extent);
        break;
    case SHAPE_INSERT:
    case SHAPE_REMOVE:
    case SHAPE_APPEND:
    case SHAPE_PREPEND:
    case SHAPE_LAST:
        shape = shape_by_number(call);
        break;
    case SHAPE_FLATTEN:
        shape = shape_flattened(call);
        break;
    case SHAPE_COUNT_UP:
        shape = shape_of_count(call);
        break;
    case SHAPE_REDUCE:
        break; /* by the rank of the result */
    }
    for (int k = 0; result->kind == VALUE_TENSOR && k < result->count; k++) {
        struct tensor *t = state_tensor_own(call->s, result->as.tensor[k]);
        if (t && t->how && t->how->inst == call->inst && t->how->function == call->fr->code->fn) {
            if (call->fn->shape.rule == SHAPE_REDUCE)
                shape = shape_reduced(call, t->fact.ranks);
            t->fact.shape = has_rank(&t->fact, shape) ? shape : NULL;
            t->fact.extent = t->fact.shape ? extent : NULL;
        }
    }
}

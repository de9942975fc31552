/* Gradients of normalising layers. Rows have a kernel; batch_norm in training is the same over
 * channels, in evaluation an affine map. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

enum { SAVED_X, SAVED_WEIGHT, SAVED_BIAS, SAVED_MEAN, SAVED_VAR };
enum { INPUT_X, INPUT_WEIGHT, INPUT_BIAS };

/* ---- the kernel ---------------------------------------------------------------------------- */

struct gradients {
    mc_tensor *dx, *dweight, *dbias; /* NULL: not needed */
};

static mc_tensor *prepared(struct op *op, mc_tensor *t, mc_dtype dtype)
{
    return t ? op_contiguous(op, op_cast(op, t, dtype)) : NULL;
}

/* Rows of x, whatever its shape, were normalised as n says. grads are buffers of the dtype
 * computed in. */
static bool norm_rows_back(struct op *op, mc_dtype compute, mc_tensor *x, mc_tensor *grad,
                           mc_tensor *weight, struct norm n, const struct gradients *to)
{
    mc_tensor *stats = op_new(op, mc_shape(n.rows, 2), compute, tensor_device(x));
    x = prepared(op, x, compute);
    grad = prepared(op, grad, compute);
    weight = prepared(op, weight, compute);
    if (!op->ok || x->numel == 0)
        return op->ok;
    struct view w, dx, dweight, dbias;
    n.weight = weight ? (w = view_of(weight), &w) : NULL;
    struct norm_back job = {
        .norm = &n, .grad = view_of(grad), .in = view_of(x), .stats = view_of(stats)};
    job.dx = to->dx ? (dx = view_of(to->dx), &dx) : NULL;
    job.dweight = to->dweight ? (dweight = view_of(to->dweight), &dweight) : NULL;
    job.dbias = to->dbias ? (dbias = view_of(to->dbias), &dbias) : NULL;
    tensor_backend(x)->kernels->layer->norm_back(&job);
    return true;
}

/* ---- layer_norm, rms_norm, group_norm -------------------------------------------------------- */

struct rows_params {
    mc_dtype compute;
    struct norm norm;
};

/* A buffer of zeros for the gradient of an input, if it is needed. */
static mc_tensor *room(struct back *b, int input, mc_dtype dtype)
{
    const struct edge *e = &b->node->inputs[input];
    if (!e->node)
        return NULL;
    const struct like *like = &e->node->outputs[e->output];
    return op_fill(b->op, op_new(b->op, like->shape, dtype, like->device), mc_arg_int(0));
}

static void rows_back(struct back *b)
{
    const struct rows_params *p = back_params(b);
    mc_tensor *x = back_saved(b, SAVED_X), *weight = back_saved(b, SAVED_WEIGHT);
    if (!b->op->ok)
        return;
    struct gradients to = {.dweight = room(b, INPUT_WEIGHT, p->compute),
                           .dbias = room(b, INPUT_BIAS, p->compute)};
    if (back_wants(b, INPUT_X))
        to.dx = op_new_like(b->op, x, p->compute);
    if (!b->op->ok || !norm_rows_back(b->op, p->compute, x, b->grad, weight, p->norm, &to))
        return;
    back_give(b, INPUT_X, to.dx);
    back_give(b, INPUT_WEIGHT, to.dweight);
    back_give(b, INPUT_BIAS, to.dbias);
}

void grad_norm_rows(struct op *op, mc_tensor *result, mc_dtype compute, mc_tensor *x,
                    mc_tensor *weight, mc_tensor *bias, const struct norm *norm, bool keep_bias)
{
    struct node *n = RECORD(op, rows_back, NULL, sizeof(struct rows_params), x, weight, bias);
    if (!n)
        return;
    struct rows_params *p = n->params;
    *p = (struct rows_params){compute, *norm};
    p->norm.weight = p->norm.bias = NULL;
    /* On the CPU, PyTorch's rms_norm is composed of other ops, and the weight's gradient needs
     * only their results. */
    bool own = !norm->centre && !is_cuda(x) && !tensor_requires_grad(x);
    node_save(op, n, SAVED_X, own ? op_clone(op, x) : x);
    node_save(op, n, SAVED_WEIGHT, weight);
    node_save(op, n, SAVED_BIAS, keep_bias ? bias : NULL);
    recorded(op, n, result);
}

/* ---- batch_norm ---------------------------------------------------------------------------- */

struct batch_params {
    bool training;
    double eps;
};

/* (n, c, …) as rows of channels, and back. */
static mc_tensor *by_channel(struct op *op, mc_tensor *x)
{
    mc_tensor *t = op_transpose(op, x, 0, 1);
    return t ? op_reshape(op, t, mc_shape(x->shape[1], x->numel / x->shape[1])) : NULL;
}

static mc_tensor *by_sample(struct op *op, mc_tensor *rows, const mc_tensor *x)
{
    mc_shape shape = tensor_shape(x);
    shape.dims[0] = x->shape[1];
    shape.dims[1] = x->shape[0];
    return op_transpose(op, op_reshape(op, rows, shape), 0, 1);
}

static mc_dtype compute_dtype(const mc_tensor *x)
{
    return x->dtype == MC_F64 ? MC_F64 : MC_F32;
}

/* Each channel is a row, with one weight for all of it. */
static void training_back(struct back *b, mc_tensor *x, mc_tensor *weight)
{
    const struct batch_params *p = back_params(b);
    mc_dtype compute = compute_dtype(x);
    mc_tensor *rows = by_channel(b->op, x);
    struct gradients to = {.dweight = room(b, INPUT_WEIGHT, compute),
                           .dbias = room(b, INPUT_BIAS, compute)};
    if (rows && back_wants(b, INPUT_X))
        to.dx = op_new_like(b->op, rows, compute);
    if (!b->op->ok)
        return;
    struct norm n = {.rows = rows->shape[0],
                     .length = rows->shape[1],
                     .period = rows->shape[0],
                     .inner = rows->shape[1],
                     .centre = true,
                     .eps = p->eps};
    if (!norm_rows_back(b->op, compute, rows, by_channel(b->op, b->grad), weight, n, &to))
        return;
    back_give(b, INPUT_X, to.dx ? by_sample(b->op, to.dx, x) : NULL);
    back_give(b, INPUT_WEIGHT, to.dweight);
    back_give(b, INPUT_BIAS, to.dbias);
}

/* A parameter aligned with the channels of x. */
static mc_tensor *channels(struct op *op, mc_tensor *t, const mc_tensor *x, mc_dtype dtype)
{
    mc_shape shape = {.ndim = x->ndim};
    for (int i = 0; i < x->ndim; i++)
        shape.dims[i] = i == 1 ? x->shape[1] : 1;
    return t ? op_reshape(op, op_cast(op, t, dtype), shape) : NULL;
}

/* The sum over all but the channels, in the shape of the input. */
static mc_tensor *channel_sum(struct back *b, int input, mc_tensor *t)
{
    const struct edge *e = &b->node->inputs[input];
    mc_dims over = mc_dims();
    for (int i = 0; t && i < t->ndim; i++)
        if (i != 1)
            over.dims[over.count++] = i;
    mc_tensor *sum = op_sum(b->op, t, over, false, MC_DTYPE_DEFAULT);
    return sum ? op_reshape(b->op, sum, e->node->outputs[e->output].shape) : NULL;
}

/* (x - mean) / sqrt(var + eps) * weight + bias, for a given mean and variance. */
static void evaluation_back(struct back *b, mc_tensor *x, mc_tensor *weight, mc_tensor *mean,
                            mc_tensor *var)
{
    const struct batch_params *p = back_params(b);
    struct op *op = b->op;
    mc_dtype compute = compute_dtype(x);
    mc_tensor *grad = op_cast(op, b->grad, compute);
    mc_tensor *scale =
        op_unary(op, UNARY_rsqrt, op_tf(op, BINARY_add, channels(op, var, x, compute), p->eps));
    if (back_wants(b, INPUT_X)) {
        mc_tensor *w = channels(op, weight, x, compute);
        back_give(b, INPUT_X,
                  op_tt(op, BINARY_mul, grad, w ? op_tt(op, BINARY_mul, scale, w) : scale));
    }
    if (back_wants(b, INPUT_WEIGHT)) {
        mc_tensor *centred = op_tt(op, BINARY_sub, x, channels(op, mean, x, compute));
        mc_tensor *hat = op_tt(op, BINARY_mul, centred, scale);
        back_give(b, INPUT_WEIGHT, channel_sum(b, INPUT_WEIGHT, op_tt(op, BINARY_mul, grad, hat)));
    }
    if (back_wants(b, INPUT_BIAS))
        back_give(b, INPUT_BIAS, channel_sum(b, INPUT_BIAS, grad));
}

static void batch_norm_back(struct back *b)
{
    const struct batch_params *p = back_params(b);
    mc_tensor *x = back_saved(b, SAVED_X), *weight = back_saved(b, SAVED_WEIGHT);
    mc_tensor *mean = back_saved(b, SAVED_MEAN), *var = back_saved(b, SAVED_VAR);
    if (!b->op->ok)
        return;
    if (x->numel == 0)
        zero_back(b);
    else if (p->training)
        training_back(b, x, weight);
    else
        evaluation_back(b, x, weight, mean, var);
}

void grad_batch_norm(struct op *op, mc_tensor *result, mc_tensor *x, mc_tensor *mean,
                     mc_tensor *var, const mc_batch_norm_options *o)
{
    struct node *n =
        RECORD(op, batch_norm_back, NULL, sizeof(struct batch_params), x, o->weight, o->bias);
    if (!n)
        return;
    *(struct batch_params *)n->params =
        (struct batch_params){o->training, o->eps != 0 ? o->eps : 1e-5};
    node_save(op, n, SAVED_X, x);
    node_save(op, n, SAVED_WEIGHT, o->weight);
    node_save(op, n, SAVED_MEAN, mean);
    node_save(op, n, SAVED_VAR, var);
    recorded(op, n, result);
}

bool op_not_for(struct op *op, const mc_tensor *t, const char *name)
{
    if (!op->ok || !op->tracks || !t || !tensor_requires_grad(t))
        return op->ok;
    return op_fail(op, MC_ERROR_GRAD, "%s has no gradient for %s, which requires one", op->name,
                   name);
}

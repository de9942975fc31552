/* Gradients of convolution. With the columns of x, what the window covers at each position:
 *     out = weight · columns,  dweight = dout · columnsᵀ,  dcolumns = weightᵀ · dout
 * and dcolumns are folded into dx. f16 and bf16 are computed in f32. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

#include "runtime/compute/conv.h"

enum { SAVED_X, SAVED_WEIGHT };
enum { INPUT_X, INPUT_WEIGHT, INPUT_BIAS };

/* All that the products of a batch of samples need; everything contiguous and of one dtype. */
struct job {
    const struct conv *c;
    mc_tensor *x, *weight, *grad; /* (samples, channels, height, width) and the like */
    mc_tensor *dx, *dweight;      /* NULL: not needed */
    mc_tensor *columns;           /* NULL: x is its own */
    int64_t room;                 /* samples that columns holds */
    int64_t rows, depth, width;   /* of a group: out channels, elements of a window, places */
};

static const struct kernels *kernels_of(const struct job *j)
{
    return tensor_backend(j->x)->kernels;
}

/* The last two dimensions swapped. */
static struct view across(struct view v)
{
    int a = v.ndim - 2, b = v.ndim - 1;
    int64_t shape = v.shape[a], stride = v.stride[a];
    v.shape[a] = v.shape[b];
    v.stride[a] = v.stride[b];
    v.shape[b] = shape;
    v.stride[b] = stride;
    return v;
}

static struct view weights(const struct job *j, mc_tensor *t, int64_t count)
{
    struct view v = conv_samples(t, 0, 1, mc_shape(j->c->groups, j->rows, j->depth));
    v.shape[0] = count;
    v.stride[0] = 0;
    v.numel *= count;
    return v;
}

static struct view columns_of(const struct job *j, mc_tensor *t, int64_t first, int64_t count)
{
    return conv_samples(t, first, count, mc_shape(j->c->groups, j->depth, j->width));
}

static struct view places_of(const struct job *j, int64_t first, int64_t count)
{
    return conv_samples(j->grad, first, count, mc_shape(j->c->groups, j->rows, j->width));
}

static struct view images_of(const mc_tensor *t, int64_t first, int64_t count)
{
    return conv_samples(t, first, count, mc_shape(t->shape[1], t->shape[2], t->shape[3]));
}

static struct view unfolded(const struct job *j, int64_t count)
{
    return conv_samples(j->columns, 0, count,
                        mc_shape(j->c->groups * j->depth, j->c->out[0], j->c->out[1]));
}

/* dweight += dout · columnsᵀ, one sample after the other. */
static bool add_weights(const struct job *j, int64_t first, int64_t count)
{
    if (j->columns) {
        struct view to = unfolded(j, count), from = images_of(j->x, first, count);
        kernels_of(j)->layer->unfold(&to, &from, &j->c->w);
    }
    struct view c = weights(j, j->dweight, 1);
    for (int64_t i = 0; i < count; i++) {
        struct view a = places_of(j, first + i, 1);
        struct view b = across(j->columns ? columns_of(j, j->columns, i, 1)
                                          : columns_of(j, j->x, first + i, 1));
        if (!kernels_of(j)->matmul->gemm(&a, &b, &c, mc_arg_float(1), mc_arg_float(1)))
            return false;
    }
    return true;
}

/* dx = weightᵀ · dout, folded. */
static bool make_images(const struct job *j, int64_t first, int64_t count)
{
    struct view a = across(weights(j, j->weight, count)), b = places_of(j, first, count);
    struct view c =
        j->columns ? columns_of(j, j->columns, 0, count) : columns_of(j, j->dx, first, count);
    if (!kernels_of(j)->matmul->gemm(&a, &b, &c, mc_arg_float(1), mc_arg_float(0)))
        return false;
    if (j->columns) {
        struct view from = unfolded(j, count), to = images_of(j->dx, first, count);
        kernels_of(j)->layer->fold(&to, &from, &j->c->w);
    }
    return true;
}

static bool run(struct op *op, const struct job *j)
{
    int64_t all = j->x->shape[0];
    for (int64_t first = 0; first < all; first += j->room) {
        int64_t count = all - first < j->room ? all - first : j->room;
        if ((j->dweight && !add_weights(j, first, count)) ||
            (j->dx && !make_images(j, first, count)))
            return op_fail(op, MC_ERROR_MEMORY, "no memory for the product");
    }
    return true;
}

static mc_tensor *zeros_like(struct op *op, const mc_tensor *t)
{
    return op_fill(op, op_new_like(op, t, t->dtype), mc_arg_int(0));
}

static bool prepare(struct back *b, const struct conv *c, struct job *j)
{
    mc_tensor *x = back_saved(b, SAVED_X), *weight = back_saved(b, SAVED_WEIGHT);
    if (!x || !weight)
        return false;
    mc_dtype wide = dtype_is_half(x->dtype) ? MC_F32 : x->dtype;
    mc_tensor *grad = b->grad;
    if (x->ndim == c->spatial + 1)
        grad = op_unsqueeze(b->op, grad, 0);
    if (c->spatial == 1)
        grad = op_unsqueeze(b->op, grad, 2);
    j->x = op_cast(b->op, conv_images(b->op, c, x), wide);
    j->weight = op_cast(b->op, conv_images(b->op, c, weight), wide);
    j->grad = op_contiguous(b->op, op_cast(b->op, grad, wide));
    if (!b->op->ok)
        return false;
    j->dx = back_wants(b, INPUT_X) ? zeros_like(b->op, j->x) : NULL;
    j->dweight = back_wants(b, INPUT_WEIGHT) ? zeros_like(b->op, j->weight) : NULL;
    j->rows = j->weight->shape[0] / c->groups;
    j->depth = j->weight->shape[0] ? j->weight->numel / j->weight->shape[0] : 0;
    j->width = c->out[0] * c->out[1];
    j->room = j->x->shape[0];
    if (!conv_covers_once(&c->w))
        j->columns = conv_columns(b->op, c, j->x, j->depth, &j->room);
    return b->op->ok;
}

/* From (samples, channels, height, width) to the shape that was given. */
static void give_shaped(struct back *b, int input, mc_tensor *grad)
{
    const struct edge *e = &b->node->inputs[input];
    if (grad && e->node)
        back_give(b, input, op_reshape(b->op, grad, e->node->outputs[e->output].shape));
}

static void conv_back(struct back *b)
{
    struct conv c = *(const struct conv *)back_params(b);
    struct job j = {.c = &c};
    if (!prepare(b, &c, &j))
        return;
    bool empty = j.grad->numel == 0 || j.depth == 0;
    if (!empty && (j.dx || j.dweight) && !run(b->op, &j))
        return;
    give_shaped(b, INPUT_X, j.dx);
    give_shaped(b, INPUT_WEIGHT, j.dweight);
    if (back_wants(b, INPUT_BIAS))
        back_give(b, INPUT_BIAS, op_sum(b->op, j.grad, mc_dims(0, 2, 3), false, MC_DTYPE_DEFAULT));
}

void grad_conv(struct op *op, mc_tensor *result, const struct conv *c, mc_tensor *x,
               mc_tensor *weight, mc_tensor *bias)
{
    struct node *n = RECORD(op, conv_back, NULL, sizeof *c, x, weight, bias);
    if (!n)
        return;
    *(struct conv *)n->params = *c;
    node_save(op, n, SAVED_X, x);
    node_save(op, n, SAVED_WEIGHT, weight);
    recorded(op, n, result);
}

/* Gradients of pooling and scaling of images: one kernel per kind. f16 and bf16 are computed in
 * f32. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

struct pool_params {
    enum pooling kind;
    bool adaptive;
    struct window window;
    float step; /* interpolate */
    mc_shape shape;
};

/* (…, height, width) as (planes, height, width), contiguous and wide enough. */
static mc_tensor *planes_of(struct op *op, mc_tensor *t)
{
    if (!t)
        return NULL;
    int64_t h = t->shape[t->ndim - 2], w = t->shape[t->ndim - 1];
    int64_t planes = 1;
    for (int i = 0; i < t->ndim - 2; i++)
        planes *= t->shape[i];
    mc_tensor *wide = dtype_is_half(t->dtype) ? op_cast(op, t, MC_F32) : t;
    return op_contiguous(op, op_reshape(op, wide, mc_shape(planes, h, w)));
}

/* Planes of zeros for the operand's gradient. */
static mc_tensor *empty_planes(struct back *b, const mc_tensor *dout)
{
    const struct pool_params *p = back_params(b);
    mc_shape s = mc_shape(dout->shape[0], p->shape.dims[p->shape.ndim - 2],
                          p->shape.dims[p->shape.ndim - 1]);
    return op_fill(b->op, op_new(b->op, s, dout->dtype, tensor_device(dout)), mc_arg_int(0));
}

static void pool_back(struct back *b)
{
    const struct pool_params *p = back_params(b);
    mc_tensor *x = back_saved(b, 0), *in = NULL;
    mc_tensor *dout = planes_of(b->op, b->grad), *din = dout ? empty_planes(b, dout) : NULL;
    if (x && p->kind == POOLING_MAX)
        in = planes_of(b->op, x);
    if (!b->op->ok || !din)
        return;
    if (dout->numel) {
        struct view to = view_of(din), from = view_of(dout), v;
        tensor_backend(din)->kernels->layer->pool_back(p->kind, &to, &from,
                                                       in ? (v = view_of(in), &v) : NULL,
                                                       p->adaptive ? NULL : &p->window);
    }
    back_give(b, 0, op_reshape(b->op, din, p->shape));
}

void grad_pool(struct op *op, mc_tensor *result, mc_tensor *x, enum pooling kind,
               const struct window *window)
{
    struct node *n = RECORD(op, pool_back, NULL, sizeof(struct pool_params), x);
    if (!n)
        return;
    struct pool_params *p = n->params;
    *p = (struct pool_params){.kind = kind, .adaptive = !window, .shape = tensor_shape(x)};
    if (window)
        p->window = *window;
    node_save(op, n, 0, window ? x : NULL);
    recorded(op, n, result);
}

static void interpolate_back(struct back *b)
{
    const struct pool_params *p = back_params(b);
    mc_tensor *dout = planes_of(b->op, b->grad), *din = dout ? empty_planes(b, dout) : NULL;
    if (!din)
        return;
    if (dout->numel) {
        struct view to = view_of(din), from = view_of(dout);
        tensor_backend(din)->kernels->layer->nearest_back(&to, &from, (float[2]){p->step, p->step});
    }
    back_give(b, 0, op_reshape(b->op, din, p->shape));
}

void grad_interpolate(struct op *op, mc_tensor *result, mc_tensor *x, float step)
{
    struct node *n = RECORD(op, interpolate_back, NULL, sizeof(struct pool_params), x);
    if (n)
        *(struct pool_params *)n->params =
            (struct pool_params){.step = step, .shape = tensor_shape(x)};
    recorded(op, n, result);
}

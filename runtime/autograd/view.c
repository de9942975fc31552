/* Gradients of views: the gradient is put where the view came from. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

struct view_params {
    mc_shape shape; /* of x */
    mc_shape order; /* permute: the dimension of x for each of the view's */
    int64_t dim, start, step;
};

/* The same elements in the same order. */
static void reshape_back(struct back *b)
{
    const struct view_params *p = back_params(b);
    back_give(b, 0, op_reshape(b->op, b->grad, p->shape));
}

/* The engine sums over what was broadcast. */
static void expand_back(struct back *b)
{
    back_give(b, 0, b->grad);
}

static void permute_back(struct back *b)
{
    const struct view_params *p = back_params(b);
    mc_shape back = {.ndim = p->order.ndim};
    for (int i = 0; i < p->order.ndim; i++)
        back.dims[p->order.dims[i]] = i;
    back_give(b, 0, op_permute(b->op, b->grad, back));
}

/* Zeros except for the part that was taken; or it is added to the gradient accumulated so far. A
 * select is a slice of one without its dimension. */
static void slice_back(struct back *b)
{
    const struct view_params *p = back_params(b);
    bool select = b->grad->ndim < p->shape.ndim;
    mc_tensor *grad = select ? op_unsqueeze(b->op, b->grad, p->dim) : b->grad;
    mc_tensor *there = grad ? back_gathered(b, 0) : NULL, *whole = there;
    if (!there)
        whole = grad ? op_new(b->op, p->shape, grad->dtype, tensor_device(grad)) : NULL;
    if (!whole || (!there && !op_fill(b->op, whole, mc_arg_int(0))))
        return;
    mc_tensor *part =
        grad->numel ? op_slice(b->op, whole, p->dim, p->start, grad->shape[p->dim], p->step) : NULL;
    if (part && there)
        op_binary_(b->op, BINARY_add, part, mc_arg_tensor(grad));
    else if (part)
        op_copy(b->op, part, grad);
    if (!there)
        back_give(b, 0, whole);
}

static void record_view(struct op *op, backward_fn back, mc_tensor *view, mc_tensor *x,
                        struct view_params params)
{
    struct node *n = RECORD(op, back, NULL, sizeof params, x);
    if (!n)
        return;
    params.shape = tensor_shape(x);
    *(struct view_params *)n->params = params;
    recorded(op, n, view);
}

void grad_reshape(struct op *op, mc_tensor *view, mc_tensor *x)
{
    record_view(op, reshape_back, view, x, (struct view_params){0});
}

void grad_expand(struct op *op, mc_tensor *view, mc_tensor *x)
{
    record_view(op, expand_back, view, x, (struct view_params){0});
}

void grad_permute(struct op *op, mc_tensor *view, mc_tensor *x, mc_shape order)
{
    for (int i = 0; i < order.ndim; i++)
        order.dims[i] += order.dims[i] < 0 ? order.ndim : 0;
    record_view(op, permute_back, view, x, (struct view_params){.order = order});
}

void grad_slice(struct op *op, mc_tensor *view, mc_tensor *x, int64_t dim, int64_t start,
                int64_t step)
{
    dim += dim < 0 ? x->ndim : 0;
    start += start < 0 ? x->shape[dim] : 0;
    record_view(op, slice_back, view, x,
                (struct view_params){.dim = dim, .start = start, .step = step});
}

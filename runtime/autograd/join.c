/* Gradients of ops that move elements: cat, stack, pad, roll, flip, triangles, repeat_interleave.
 * Each puts the gradient where the element came from. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

/* ---- cat, stack ---------------------------------------------------------------------------- */

struct join_params {
    int64_t dim;
    int64_t start[]; /* of each part along dim, and where the last one ends; cat */
};

static void cat_back(struct back *b)
{
    const struct join_params *p = back_params(b);
    for (int i = 0; i < b->node->input_count; i++) {
        const struct edge *e = &b->node->inputs[i];
        if (!e->node)
            continue;
        mc_tensor *part =
            op_narrow(b->op, b->grad, p->dim, p->start[i], p->start[i + 1] - p->start[i]);
        /* A part that was left out has another shape. */
        if (p->start[i] == p->start[i + 1])
            part = op_reshape(b->op, part, e->node->outputs[e->output].shape);
        back_give(b, i, part);
    }
}

static void stack_back(struct back *b)
{
    const struct join_params *p = back_params(b);
    for (int i = 0; i < b->node->input_count; i++)
        if (back_wants(b, i))
            back_give(b, i, op_select(b->op, b->grad, p->dim, i));
}

void grad_cat(struct op *op, mc_tensor *result, int64_t dim, mc_tensor *const *tensors,
              size_t count)
{
    size_t size = sizeof(struct join_params) + (count + 1) * sizeof(int64_t);
    struct node *n = record(op, cat_back, NULL, (int)count, tensors, size);
    if (!n)
        return;
    struct join_params *p = n->params;
    p->dim = dim < 0 ? dim + result->ndim : dim;
    for (size_t i = 0; i < count; i++) {
        bool left_out = tensors[i]->ndim == 1 && tensors[i]->shape[0] == 0;
        p->start[i + 1] = p->start[i] + (left_out ? 0 : tensors[i]->shape[p->dim]);
    }
    recorded(op, n, result);
}

void grad_stack(struct op *op, mc_tensor *result, int64_t dim, mc_tensor *const *tensors,
                size_t count)
{
    struct node *n = record(op, stack_back, NULL, (int)count, tensors, sizeof(struct join_params));
    if (n)
        ((struct join_params *)n->params)->dim = dim < 0 ? dim + result->ndim : dim;
    recorded(op, n, result);
}

/* ---- moved about --------------------------------------------------------------------------- */

struct move_params {
    mc_dims amounts;
    int64_t dim, by;
    mc_shape shape; /* of x */
    bool upper;
};

static void pad_back(struct back *b)
{
    const struct move_params *p = back_params(b);
    mc_dims back = p->amounts;
    for (int i = 0; i < back.count; i++)
        back.dims[i] = -back.dims[i];
    back_give(b, 0, op_pad(b->op, b->grad, back, 0));
}

static void roll_back(struct back *b)
{
    const struct move_params *p = back_params(b);
    back_give(b, 0, op_roll(b->op, b->grad, -p->by, p->dim));
}

static void flip_back(struct back *b)
{
    const struct move_params *p = back_params(b);
    back_give(b, 0, op_flip(b->op, b->grad, p->dim));
}

static void triangle_back(struct back *b)
{
    const struct move_params *p = back_params(b);
    back_give(b, 0, op_triangle(b->op, b->grad, p->by, p->upper));
}

/* Each element was repeated next to itself. */
static void repeat_back(struct back *b)
{
    const struct move_params *p = back_params(b);
    mc_shape wide = {.ndim = 4, .dims = {1, 1, p->by, 1}};
    mc_tensor *sum;
    for (int d = 0; d < p->shape.ndim; d++)
        wide.dims[d < p->dim ? 0 : d == p->dim ? 1 : 3] *= p->shape.dims[d];
    sum = op_sum(b->op, op_reshape(b->op, b->grad, wide), mc_dims(2), false, MC_DTYPE_DEFAULT);
    back_give(b, 0, op_reshape(b->op, sum, p->shape));
}

static void record_move(struct op *op, backward_fn back, mc_tensor *result, mc_tensor *x,
                        struct move_params params)
{
    struct node *n = RECORD(op, back, NULL, sizeof params, x);
    params.shape = tensor_shape(x);
    if (n)
        *(struct move_params *)n->params = params;
    recorded(op, n, result);
}

void grad_pad(struct op *op, mc_tensor *result, mc_tensor *x, mc_dims amounts)
{
    record_move(op, pad_back, result, x, (struct move_params){.amounts = amounts});
}

void grad_roll(struct op *op, mc_tensor *result, mc_tensor *x, int64_t shift, int64_t dim)
{
    record_move(op, roll_back, result, x, (struct move_params){.by = shift, .dim = dim});
}

void grad_flip(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim)
{
    record_move(op, flip_back, result, x, (struct move_params){.dim = dim});
}

void grad_triangle(struct op *op, mc_tensor *result, mc_tensor *x, int64_t diagonal, bool upper)
{
    record_move(op, triangle_back, result, x, (struct move_params){.by = diagonal, .upper = upper});
}

void grad_repeat(struct op *op, mc_tensor *result, mc_tensor *x, int64_t repeats, int64_t dim)
{
    record_move(op, repeat_back, result, x,
                (struct move_params){.by = repeats, .dim = dim < 0 ? dim + x->ndim : dim});
}

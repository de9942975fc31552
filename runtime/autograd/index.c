/* Gradients of indexing: what was read at positions is added there, what was written is read from
 * there. Indices and masks are saved; PyTorch saves some operands of which it needs only the
 * shape, and they may not be changed either. */
#include "runtime/autograd/formula.h"
#include "runtime/autograd/formulas.h"

#include "runtime/compute/indexing.h"

struct index_params {
    mc_shape shape; /* of what was read from */
    int64_t dim;
};

enum { SAVED_INDEX, SAVED_OPERAND };

/* Zeros of the shape, like grad otherwise. */
static mc_tensor *zeros(struct back *b, mc_shape shape)
{
    mc_tensor *t = op_new(b->op, shape, b->grad->dtype, tensor_device(b->grad));
    return op_fill(b->op, t, mc_arg_int(0));
}

static struct node *record_index(struct op *op, backward_fn back, mc_tensor *into, mc_tensor *x,
                                 mc_tensor *source, int64_t dim, mc_tensor *index)
{
    struct node *n = RECORD(op, back, into, sizeof(struct index_params), x, source);
    if (!n)
        return NULL;
    *(struct index_params *)n->params =
        (struct index_params){tensor_shape(x), x->ndim == 0 ? 0
                                               : dim < 0    ? dim + x->ndim
                                                            : dim};
    node_save(op, n, SAVED_INDEX, index);
    return n;
}

/* ---- reading ------------------------------------------------------------------------------- */

static void index_back(struct back *b)
{
    const struct index_params *p = back_params(b);
    back_give(b, 0, op_index_back(b->op, b->grad, p->shape, back_saved(b, SAVED_INDEX)));
}

void grad_index(struct op *op, mc_tensor *result, mc_tensor *x, mc_tensor *index)
{
    recorded(op, record_index(op, index_back, NULL, x, NULL, 0, index), result);
}

static void index_select_back(struct back *b)
{
    const struct index_params *p = back_params(b);
    mc_tensor *index = back_saved(b, SAVED_INDEX), *whole = zeros(b, p->shape);
    back_give(b, 0, op_index_add(b->op, whole, p->dim, index, b->grad));
}

void grad_index_select(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim,
                       mc_tensor *index)
{
    recorded(op, record_index(op, index_select_back, NULL, x, NULL, dim, index), result);
}

static void gather_back(struct back *b)
{
    const struct index_params *p = back_params(b);
    mc_tensor *index = back_saved(b, SAVED_INDEX), *whole = zeros(b, p->shape);
    if (whole && index->numel)
        whole = op_scatter_add(b->op, whole, p->dim, index, b->grad);
    back_give(b, 0, whole);
}

void grad_gather(struct op *op, mc_tensor *result, mc_tensor *x, int64_t dim, mc_tensor *index)
{
    struct node *n = record_index(op, gather_back, NULL, x, NULL, dim, index);
    node_save(op, n, SAVED_OPERAND, x);
    recorded(op, n, result);
}

static void masked_select_back(struct back *b)
{
    mc_tensor *x = back_saved(b, SAVED_OPERAND), *mask = back_saved(b, SAVED_INDEX);
    mc_shape both;
    if (!x || !mask || !op_broadcast(b->op, x, mask, &both))
        return;
    mc_tensor *spread = op_expand(b->op, mask, both), *whole = zeros(b, both);
    back_give(b, 0, op_masked_scatter(b->op, whole, spread, b->grad));
}

void grad_masked_select(struct op *op, mc_tensor *result, mc_tensor *x, mc_tensor *mask)
{
    struct node *n = record_index(op, masked_select_back, NULL, x, NULL, 0, mask);
    node_save(op, n, SAVED_OPERAND, x);
    recorded(op, n, result);
}

/* ---- tables -------------------------------------------------------------------------------- */

/* grad (…, width) is added to the rows of the table at the indices. */
static mc_tensor *add_to_rows(struct back *b, mc_tensor *grad, mc_tensor *indices)
{
    const struct index_params *p = back_params(b);
    mc_tensor *table = zeros(b, p->shape);
    if (!indices || !table)
        return NULL;
    mc_tensor *rows = op_reshape(b->op, grad, mc_shape(indices->numel, p->shape.dims[1]));
    mc_tensor *flat = op_reshape(b->op, indices, mc_shape(indices->numel));
    return op_index_add(b->op, table, 0, flat, rows);
}

static void embedding_back(struct back *b)
{
    back_give(b, 0, add_to_rows(b, b->grad, back_saved(b, SAVED_INDEX)));
}

void grad_embedding(struct op *op, mc_tensor *result, mc_tensor *indices, mc_tensor *table)
{
    recorded(op, record_index(op, embedding_back, NULL, table, NULL, 0, indices), result);
}

static void embedding_bag_back(struct back *b)
{
    const struct index_params *p = back_params(b);
    mc_tensor *indices = back_saved(b, SAVED_INDEX);
    if (!indices)
        return;
    int64_t bags = indices->shape[0], items = indices->shape[1];
    mc_tensor *share = op_tf(b->op, BINARY_div, b->grad, items ? (double)items : 1);
    share =
        op_expand(b->op, op_unsqueeze(b->op, share, 1), mc_shape(bags, items, p->shape.dims[1]));
    back_give(b, 0, add_to_rows(b, share, indices));
}

void grad_embedding_bag(struct op *op, mc_tensor *result, mc_tensor *indices, mc_tensor *table)
{
    recorded(op, record_index(op, embedding_bag_back, NULL, table, NULL, 0, indices), result);
}

/* ---- writing ------------------------------------------------------------------------------- */

/* x[index] = values */
static void index_put_back(struct back *b)
{
    mc_tensor *index = back_saved(b, SAVED_INDEX);
    if (index && back_wants(b, 0))
        back_give(b, 0, op_index_clear(b->op, op_clone(b->op, b->grad), index));
    if (index && back_wants(b, 1))
        back_give(b, 1, op_index(b->op, b->grad, index));
}

void grad_index_put(struct op *op, mc_tensor *x, mc_tensor *index, mc_tensor *values)
{
    recorded(op, record_index(op, index_put_back, x, x, values, 0, index), x);
}

static mc_tensor *select_again(struct back *b, mc_tensor *index)
{
    const struct index_params *p = back_params(b);
    mc_tensor *source = back_saved(b, SAVED_OPERAND);
    mc_tensor *taken = op_index_select(b->op, b->grad, p->dim, index);
    return taken && source ? op_reshape(b->op, taken, tensor_shape(source)) : NULL;
}

static void index_add_back(struct back *b)
{
    if (back_wants(b, 0))
        back_give(b, 0, b->grad);
    if (back_wants(b, 1))
        back_give(b, 1, select_again(b, back_saved(b, SAVED_INDEX)));
}

static void index_copy_back(struct back *b)
{
    const struct index_params *p = back_params(b);
    mc_tensor *index = back_saved(b, SAVED_INDEX);
    if (index && back_wants(b, 0))
        back_give(b, 0, op_slices_clear(b->op, op_clone(b->op, b->grad), p->dim, index));
    if (index && back_wants(b, 1))
        back_give(b, 1, select_again(b, index));
}

void grad_write_slices(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index,
                       mc_tensor *source, bool add)
{
    struct node *n =
        record_index(op, add ? index_add_back : index_copy_back, x, x, source, dim, index);
    if (n && node_wants(n, 1))
        node_save(op, n, SAVED_OPERAND, source);
    recorded(op, n, x);
}

/* grad at index. The source may be larger; PyTorch has no gradient for it then. */
static void scatter_back(struct back *b)
{
    const struct index_params *p = back_params(b);
    mc_tensor *index = back_saved(b, SAVED_INDEX);
    if (index && back_wants(b, 0))
        back_give(b, 0, op_places_clear(b->op, op_clone(b->op, b->grad), p->dim, index));
    if (index && back_wants(b, 1))
        back_give(b, 1, op_gather(b->op, b->grad, p->dim, index));
}

static void scatter_add_back(struct back *b)
{
    const struct index_params *p = back_params(b);
    mc_tensor *index = back_saved(b, SAVED_INDEX);
    if (back_wants(b, 0))
        back_give(b, 0, b->grad);
    if (index && back_wants(b, 1))
        back_give(b, 1, op_gather(b->op, b->grad, p->dim, index));
}

void grad_scatter(struct op *op, mc_tensor *x, int64_t dim, mc_tensor *index, mc_tensor *source,
                  bool add)
{
    recorded(op, record_index(op, add ? scatter_add_back : scatter_back, x, x, source, dim, index),
             x);
}

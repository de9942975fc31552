/* What a gradient formula works with. It is written with the functions of compute/, so that it runs
 * wherever they do; nothing in it is recorded.
 *
 *     static void mul_back(struct back *b)
 *     {
 *         if (back_wants(b, 0))
 *             back_give(b, 0, op_tt(b->op, BINARY_mul, b->grad, back_saved(b, 1)));
 *         …
 *     }
 *
 * A gradient may have another dtype than its tensor, or a broader shape: the engine casts and sums
 * it. A NULL tensor, after an error, is passed on. */
#ifndef RUNTIME_FORMULA_H
#define RUNTIME_FORMULA_H

#include "runtime/autograd/graph.h"
#include "runtime/compute/compute.h"

struct back {
    struct op *op;
    const struct node *node;
    mc_tensor *grad;         /* of output 0 */
    mc_tensor *const *grads; /* of all outputs; NULL: zero */
    mc_tensor **given;       /* of the inputs */
    struct walk *walk;       /* the engine's */
};

static inline bool back_wants(const struct back *b, int input)
{
    return node_wants(b->node, input);
}
/* The tensor saved in that slot, unchanged; NULL if there is none. */
mc_tensor *back_saved(struct back *b, int slot);
/* Hands grad to the engine, out of the running op. Without a call it is zero. */
void back_give(struct back *b, int input, mc_tensor *grad);
/* The gradient accumulated for that input's tensor so far, if the formula may add to it instead of
 * allocating one of the same size that is mostly zero. NULL: none, or not writable. */
mc_tensor *back_gathered(const struct back *b, int input);
static inline const void *back_params(const struct back *b)
{
    return b->node->params;
}

/* The gradient of softmax's operand, or log_softmax's, from that of its result y. */
mc_tensor *op_softmax_back(struct op *op, mc_tensor *grad, mc_tensor *y, int64_t dim, bool log);
/* Gives zeros to all inputs. */
void zero_back(struct back *b);
/* The elements of a tensor with the view's geometry, in the layout of the base: zero outside of
 * the view. */
mc_tensor *op_unview(struct op *op, mc_tensor *grad, const struct geometry *view,
                     const struct geometry *base);
/* Memory with the base's geometry and values, and the view of it. */
bool op_spread(struct op *op, mc_tensor *values, const struct geometry *base,
               const struct geometry *view, mc_tensor **whole, mc_tensor **part);

#endif

/* What a formula, the way back through one op, works with. It is written with the insides of ops
 * (ops/ops.h), so that it runs wherever they do; nothing of it is recorded.
 *
 *     static void mul_back(struct back *b)
 *     {
 *         if (back_wants(b, 0))
 *             back_give(b, 0, op_tt(b->op, BINARY_mul, b->grad, back_saved(b, 1)));
 *         …
 *     }
 *
 * A gradient may be given in another dtype than its tensor's, or broader: the engine casts and sums
 * it. A NULL tensor, after an error, passes through. */
#ifndef RUNTIME_FORMULA_H
#define RUNTIME_FORMULA_H

#include "runtime/autograd/graph.h"
#include "runtime/compute/compute.h"

struct back {
    struct op *op;
    const struct node *node;
    mc_tensor *grad;         /* of output 0 */
    mc_tensor *const *grads; /* of all outputs; NULL: none came, it is zero */
    mc_tensor **given;       /* of the inputs */
    struct walk *walk;       /* the engine's */
};

static inline bool back_wants(const struct back *b, int input)
{
    return node_wants(b->node, input);
}
/* What was saved in that slot, NULL if nothing was; as it was then. */
mc_tensor *back_saved(struct back *b, int slot);
/* Takes grad out of the running op. Not given: zero. */
void back_give(struct back *b, int input, mc_tensor *grad);
/* What others gave for that input's tensor before, where the formula may add to it instead of
 * giving something of the same size that is mostly zero. NULL: nothing, or nothing to be written
 * to. */
mc_tensor *back_gathered(const struct back *b, int input);
static inline const void *back_params(const struct back *b)
{
    return b->node->params;
}

/* The gradient of softmax's operand, or log_softmax's, from that of its result y. */
mc_tensor *op_softmax_back(struct op *op, mc_tensor *grad, mc_tensor *y, int64_t dim, bool log);
/* Gives zeros to all inputs. */
void zero_back(struct back *b);
/* The elements of a tensor with the view's geometry, laid out as the base: zero where the view does
 * not reach. */
mc_tensor *op_unview(struct op *op, mc_tensor *grad, const struct geometry *view,
                     const struct geometry *base);
/* Memory with the base's geometry and values, and the view of it. */
bool op_spread(struct op *op, mc_tensor *values, const struct geometry *base,
               const struct geometry *view, mc_tensor **whole, mc_tensor **part);

#endif

/* Matrix products and attention: ops/ has checked dtypes and shapes and made the results. */
#ifndef RUNTIME_MATMUL_H
#define RUNTIME_MATMUL_H

#include "runtime/kernels/view.h"

/* One call of attention: out = softmax(scale * q·kᵀ + mask)·v, for each matrix of a batch.
 *
 * q (batch…, l, e), k (batch…, s, e), v (batch…, s, d) and out (batch…, l, d) are of one floating
 * dtype; batch dimensions are alike, with stride 0 where they were broadcast; out is contiguous.
 * mask (batch…, l, s) is bool (false: do not look), or added to the scores: then it is f64 where
 * out is, else f32. A row that may look at nothing gives zeros. */
struct attention {
    struct view q, k, v, mask, out;
    bool has_mask;
    bool causal; /* row i attends to columns 0 … i */
    double scale;
};

/* Its gradient: out of grad, the gradient of attention's out, those of q, k and v. forward is what
 * the call was, but for its out, which is not looked at; grad is like that. dq, dk and dv have the
 * shapes of q, k and v, batches written out, are contiguous and of their dtype. */
struct attention_back {
    struct attention forward;
    struct view grad, dq, dk, dv;
};

/* All return false where there is no memory for what they must convert or copy. */
struct matmul_kernels {
    /* c = alpha * a·b + beta * c, for each matrix of a batch: a (batch…, m, k), b (batch…, k, n),
     * c (batch…, m, n), all of one dtype, any but bool. Batch dimensions are alike, with stride 0
     * where they were broadcast; a and b may have any strides, c is contiguous and apart from both.
     * Nothing is read of c where beta is 0, nothing of a and b where alpha is. The numbers are of
     * the dtype's kind: MC_ARG_INT for integers, else MC_ARG_FLOAT. Small floats are multiplied and
     * summed in f32 and rounded once; integers wrap. */
    bool (*gemm)(const struct view *a, const struct view *b, const struct view *c, mc_arg alpha,
                 mc_arg beta);
    bool (*attention)(const struct attention *job);
    bool (*attention_back)(const struct attention_back *job); /* NULL: it is composed of others */
};

extern const struct matmul_kernels cpu_matmul;

#endif

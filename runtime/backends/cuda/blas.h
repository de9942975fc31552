/* Matrix products by cuBLASLt, which is loaded for the first one. Calls come from any thread; the
 * work is done on the current device. */
#ifndef RUNTIME_CUDA_BLAS_H
#define RUNTIME_CUDA_BLAS_H

#include <stdbool.h>
#include <stdint.h>

#include "miscast/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Element (i, j) of matrix b of a batch is b * batch_step + i * ld + j elements after data, or + i
 * + j * ld if it is transposed. ld is no less than the number of elements in a row, or in a column
 * of a transposed one. Factors may have a batch_step of 0. */
struct blas_matrix {
    void *data;
    int64_t ld, batch_step;
    bool transposed; /* never c */
};

/* c (m, n) = alpha * a (m, k)·b (k, n) + beta * c, for each of a batch; no size is 0. dtype is that
 * of a and b: f16, bf16, f32 or f64; c's is the same, or f32. Products are summed in f32, or in f64
 * where that is the dtype, and rounded once. */
struct blas_gemm {
    mc_dtype dtype, c_dtype;
    int64_t m, n, k, batch;
    struct blas_matrix a, b, c;
    double alpha, beta;
};

/* False: cuBLASLt has no algorithm for that, and nothing was done. What goes wrong otherwise is
 * trouble (cuda_trouble). */
bool blas_gemm(const struct blas_gemm *job);

#ifdef __cplusplus
}
#endif

#endif

/* Linear algebra by cuSOLVER, which is loaded when first needed. The work goes to the device in
 * use; matrices are of f32 or f64 and lie dense, column after column.
 *
 * info is an int on the device that becomes 0 where the data allowed it, and anything else where
 * not. False: there was no memory; what goes wrong otherwise is trouble (cuda_trouble). */
#ifndef RUNTIME_CUDA_SOLVER_H
#define RUNTIME_CUDA_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "miscast/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* b (n, n), which holds the identity, becomes the inverse of a (n, n), which is destroyed. */
bool solver_inverse(mc_dtype dtype, int64_t n, void *a, void *b, int *info);
/* The upper triangle of a (n, n) becomes its upper factor; the rest stays. */
bool solver_cholesky(mc_dtype dtype, int64_t n, void *a, int *info);

/* a (m, n) = u·s·vt, with m no less than n: s (n), u (m, n) or, if full, (m, m), vt (n, n). u and
 * vt are NULL if only s is needed. a is destroyed. */
struct solver_svd {
    mc_dtype dtype;
    int64_t m, n;
    bool full;
    void *a, *s, *u, *vt;
    int *info;
};
bool solver_svd(const struct solver_svd *job);

#ifdef __cplusplus
}
#endif

#endif

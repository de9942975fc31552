/* Linear algebra on square or rectangular matrices of f32 or f64, one matrix of a batch at a time.
 */
#ifndef RUNTIME_LINALG_H
#define RUNTIME_LINALG_H

#include "runtime/kernels/view.h"

enum linalg_status {
    LINALG_OK,
    LINALG_NO_MEMORY,
    LINALG_FAILED, /* the data do not allow it; *which says in which matrix of the batch */
};

/* All tensors are contiguous. What is worked on in place holds a copy of the operand. */
struct linalg_kernels {
    /* x (batch…, n, n) becomes its inverse; fails where a matrix is singular. */
    enum linalg_status (*inverse)(const struct view *x, int64_t *which);
    /* x (batch…, n, n), of which only the lower triangle counts, becomes its lower factor; fails
     * where a matrix is not positive definite. */
    enum linalg_status (*cholesky)(const struct view *x, int64_t *which);
    /* s (batch…, r) receives the singular values of x (batch…, m, n), r = min(m, n); u and vh their
     * vectors, where not NULL (both or neither): (batch…, m, m) and (batch…, n, n), or (batch…, m,
     * r) and (batch…, r, n). x is destroyed. Fails where the iteration does not converge. */
    enum linalg_status (*svd)(const struct view *x, const struct view *s, const struct view *u,
                              const struct view *vh, int64_t *which);
};

extern const struct linalg_kernels cpu_linalg;

#endif

/* The values of a tensor sorted into groups, for naive references: a group is what one result of a
 * reduction, or one row of an op along a dimension, is made of. */
#ifndef TESTS_UNIT_GROUPS_H
#define TESTS_UNIT_GROUPS_H

#include "tests/unit/values.h"

#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The values of x, those that one result is made of side by side, in order. */
struct groups {
    int64_t count, size;
    double *v;
};

/* over: a bit for each dimension that a group extends along. Free v. */
static inline struct groups group(mc_tensor *x, unsigned over)
{
    struct groups g = {1, 1, NULL};
    const double *in = values(x);
    int ndim = mc_ndim(x);
    for (int d = 0; d < ndim; d++)
        *(over >> d & 1 ? &g.size : &g.count) *= mc_size(x, d);
    g.v = calloc((size_t)(g.count * g.size) + 1, sizeof *g.v);
    for (int64_t i = 0; i < mc_numel(x); i++) {
        int64_t rest = i, kept = 0, inner = 0, kept_step = 1, inner_step = 1;
        for (int d = ndim - 1; d >= 0; d--) {
            int64_t n = mc_size(x, d), at = rest % n;
            rest /= n;
            if (over >> d & 1)
                inner += at * inner_step, inner_step *= n;
            else
                kept += at * kept_step, kept_step *= n;
        }
        g.v[kept * g.size + inner] = in[i];
    }
    return g;
}

static inline double naive_max(const double *v, int64_t n)
{
    double m = v[0];
    for (int64_t i = 1; i < n; i++)
        m = v[i] > m ? v[i] : m;
    return m;
}

#endif

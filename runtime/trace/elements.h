/* The contents of a tensor, read from outside of ops: for probes only, so nothing here is fast.
 * Any dtype, device and layout. If there is no memory for a copy from a device, the result is
 * empty. */
#ifndef RUNTIME_ELEMENTS_H
#define RUNTIME_ELEMENTS_H

#include "runtime/core/core.h"

/* Equal for the same elements in the same order, wherever they are stored. */
uint64_t elements_hash(const mc_tensor *t);

struct survey {
    int64_t nan, inf;
    double min, max; /* of finite elements; NaN if there are none */
};
struct survey elements_survey(const mc_tensor *t);

/* got compared with the expected values. Differences are over elements that are finite in both. */
struct difference {
    int64_t differing; /* from rounded, or from wide where that is NULL */
    double max_abs, max_rel, mean_abs, max_abs_wide;
    /* The worst element: one that is not finite where wide is, else that of max_abs. */
    bool has_worst;
    double worst_got, worst_wide;
};
/* All of one shape. */
struct difference elements_compare(const mc_tensor *got, const mc_tensor *wide,
                                   const mc_tensor *rounded);

#endif

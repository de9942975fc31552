/* What calls in the .def files need besides their operands. Both the truth program and the programs
 * it writes for the analysis include it. */
#ifndef TESTS_TRUTH_HELPERS_H
#define TESTS_TRUTH_HELPERS_H

#include <math.h>

#include <miscast/tensor.h>

/* i64 zeros, on x's device */
#define indices_for(x, ...)                                                                        \
    mc_zeros(mc_shape(__VA_ARGS__), .dtype = MC_I64, .device = mc_device_of(x))

static inline mc_tensor *eye_for(mc_tensor *x)
{
    return mc_eye(2, .dtype = mc_dtype_of(x), .device = mc_device_of(x));
}

static inline mc_tensor *kernel_for(mc_tensor *x)
{
    return mc_ones(mc_shape(2, 2, 1, 1), .dtype = mc_dtype_of(x), .device = mc_device_of(x));
}

/* of grad.def */

#define copy_of(x) mc_mul(x, 1)

#define all_true(x) mc_ones_like(x, .dtype = MC_BOOL)

#define row_of(x) mc_select(x, 0, 0)

/* The number 2.0, which our pow takes as a tensor. */
static inline mc_tensor *scalar_for(mc_tensor *x)
{
    return mc_full(mc_shape(), 2.0, .dtype = mc_dtype_of(x), .device = mc_device_of(x));
}

static inline mc_tensor *part_of(mc_tensor *x, bool chunk)
{
    mc_tensor *parts[2] = {NULL, NULL};
    if (chunk)
        mc_chunk(x, 2, 0, parts, 2);
    else
        mc_split(x, 1, 0, parts, 2);
    return parts[chunk ? 0 : 1];
}

#endif

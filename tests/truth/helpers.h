/* What calls in the .def files need besides their operands. Both the truth program and the programs
 * it writes for the analysis include it. */
#ifndef TESTS_TRUTH_HELPERS_H
#define TESTS_TRUTH_HELPERS_H

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

#endif

/* What calls in shaped.def need besides their operands, here and in the programs for the analysis.
 */
#ifndef TESTS_TRUTH_SHAPED_HELPERS_H
#define TESTS_TRUTH_SHAPED_HELPERS_H

#include <miscast/tensor.h>

/* Four ones, or one without dimensions, of a's dtype and on its device. */
#define four_like(a) mc_ones(mc_shape(4), .dtype = mc_dtype_of(a), .device = mc_device_of(a))
#define one_like(a)  mc_ones(mc_shape(), .dtype = mc_dtype_of(a), .device = mc_device_of(a))
#define zeros_of_4() mc_zeros(mc_shape(4), .dtype = MC_I64)

#endif

/* A tensor with the dtype of one from outside is as unknown as that one, whatever is known of it. */
#include <math.h>

#include <miscast/tensor.h>

mc_tensor *bias(mc_tensor *x, mc_tensor *w)
{
    mc_tensor *scores = mc_linear(x, w, NULL);
    mc_tensor *mask = mc_ones(mc_shape(4, 4), .dtype = MC_BOOL);
    mc_tensor *zeros = mc_zeros(mc_shape(4, 4), .dtype = mc_dtype_of(scores));
    return mc_masked_fill(zeros, mask, -INFINITY);
}

mc_tensor *large(mc_tensor *x)
{
    mc_tensor *y = mc_gelu(x);
    return mc_full(mc_shape(4), 1e6, .dtype = mc_dtype_of(y));
}

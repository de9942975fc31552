#include <miscast/tensor.h>

mc_tensor *convert(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .dtype = MC_BF16);
    return mc_half(w); /* expect: bf16-to-f16 note */
}

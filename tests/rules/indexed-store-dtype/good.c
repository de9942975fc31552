#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *cache = mc_zeros(mc_shape(16, 8), .dtype = MC_F16);
    mc_tensor *at = mc_arange(4), *k = mc_randn(mc_shape(4, 8));
    mc_index_copy_(cache, 0, at, mc_type_as(k, cache));
    mc_copy_(mc_narrow(cache, 0, 0, 4), mc_half(k));
    mc_print(cache);
    return 0;
}

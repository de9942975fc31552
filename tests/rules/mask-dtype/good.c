#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *scores = mc_randn(mc_shape(4, 4)), *mask = mc_tril(mc_ones(mc_shape(4, 4)), 0);
    mc_print(mc_masked_fill(scores, mc_eq(mask, 0), -1e9));
    mc_print(mc_where(mc_bool(mask), scores, 0.0));
    return 0;
}

#include <math.h>

#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *scores = mc_half(mc_randn(mc_shape(4, 4))), *mask = mc_gt(scores, 0);
    mc_print(mc_masked_fill(scores, mask, -INFINITY));
    mc_print(mc_masked_fill(scores, mask, -65504.0));
    mc_print(mc_masked_fill(mc_bfloat16(scores), mask, -1e9));
    mc_print(mc_full(mc_shape(2), 255, .dtype = MC_U8));
    return 0;
}

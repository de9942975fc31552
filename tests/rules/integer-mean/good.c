#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *counts = mc_arange(10), *right = mc_eq(counts, 3);
    mc_print(mc_mean(counts, .dtype = MC_F32));
    mc_print(mc_mean(mc_float(right)));
    mc_print(mc_sum(counts));
    return 0;
}

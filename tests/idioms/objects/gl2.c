#include <miscast/tensor.h>

int main(void)
{
    int n = 2;
    mc_tensor *o[16];
    for (int i = 0; i < n; i++)
        o[i] = mc_rand(mc_shape(2, 2), .device = MC_CUDA_AT(i));
    mc_tensor *s = o[0];
    for (int i = 1; i < n; i++)
        s = mc_add(s, o[i]);
    mc_print(mc_cpu(s));
}

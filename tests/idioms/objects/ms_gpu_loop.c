#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *o[4];
    for (int i = 0; i < 2; i++)
        o[i] = mc_rand(mc_shape(2, 2), .device = MC_CUDA_AT(i));
    mc_print(mc_cpu(mc_add(o[0], o[1])));
}

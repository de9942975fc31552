#include <miscast/tensor.h>
int main(void)
{
    mc_tensor *acc = mc_zeros(mc_shape(1), .dtype = MC_F16);
    for (int64_t i = 0; i < 5000; i++)
        mc_add_(acc, 1);
    mc_print(acc);
}

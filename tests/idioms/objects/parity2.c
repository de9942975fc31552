#include <miscast/tensor.h>

int main(void)
{
    for (int i = 0; i < 4; i++) {
        mc_tensor *w = mc_rand(mc_shape(2, 2), .dtype = i % 2 ? MC_F16 : MC_F32);
        mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = i % 2 ? MC_F16 : MC_F32), w));
    }
}

#include <miscast/tensor.h>

struct st {
    mc_tensor *w;
    mc_device dev;
};
int main(void)
{
    struct st s[4];
    for (int i = 0; i < 4; i++) {
        s[i].dev = i < 2 ? MC_CPU : MC_CUDA;
        s[i].w = mc_rand(mc_shape(2, 2), .device = s[i].dev);
    }
    mc_tensor *x = mc_rand(mc_shape(2, 2));
    for (int i = 0; i < 4; i++)
        x = mc_matmul(mc_to_device(x, s[i].dev), s[i].w);
    mc_print(mc_cpu(x));
}

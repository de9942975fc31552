#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (mc_cuda_is_available())
        w = mc_cuda(w);
    if (mc_cuda_is_available())
        x = mc_cuda(x);
    mc_print(mc_cpu(mc_matmul(x, w)));
}

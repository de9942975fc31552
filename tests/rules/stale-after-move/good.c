#include <miscast/tensor.h>

struct model {
    mc_tensor *w;
};

int main(void)
{
    struct model m = {mc_randn(mc_shape(4, 4))};
    m.w = mc_cuda(m.w);
    mc_tensor *tied = m.w;
    mc_tensor *x = mc_matmul(mc_ones(mc_shape(2, 4), .device = MC_CUDA), m.w);
    mc_print(mc_matmul(x, tied));
    return 0;
}

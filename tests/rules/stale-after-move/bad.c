#include <miscast/tensor.h>

struct model {
    mc_tensor *w;
};

int main(void)
{
    struct model m = {mc_randn(mc_shape(4, 4))};
    mc_tensor *tied = m.w;
    m.w = mc_cuda(m.w);
    mc_tensor *x = mc_matmul(mc_ones(mc_shape(2, 4), .device = MC_CUDA), m.w);
    mc_print(mc_matmul(x, tied)); /* expect: stale-after-move error */
    return 0;
}

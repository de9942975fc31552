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

/* The optimizer gets what is trained; a copy for something else does not matter. */
void tune(int half)
{
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(1, 8)), true);
    if (half)
        w = mc_requires_grad_(mc_half(mc_detach(w)), true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_tensor *x = mc_randn(mc_shape(4, 8), .dtype = half ? MC_F16 : MC_F32);
    mc_backward(mc_mean(mc_square(mc_linear(x, w, NULL))));
    if (!half)
        mc_print(mc_half(mc_detach(w)));
    mc_optimizer_step(o);
    mc_optimizer_free(o);
}

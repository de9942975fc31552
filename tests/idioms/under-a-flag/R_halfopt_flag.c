#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 ? MC_BF16 : MC_F32;
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = d);
    mc_requires_grad_(x, true);
    mc_optimizer *o = mc_adam(mc_params(x), 1e-3);
    mc_backward(mc_mean(mc_float(mc_square(x))));
    mc_optimizer_step(o);
    mc_print(x);
    (void)argv, (void)argc;
}

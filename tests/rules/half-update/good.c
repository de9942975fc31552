/* Near misses: large steps, f32 weights, sums that are no steps, numbers that are not known. */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *half = mc_ones(mc_shape(8), .dtype = MC_F16), *full = mc_ones(mc_shape(8));
    mc_tensor *grad = mc_ones(mc_shape(8), .dtype = MC_F16);
    mc_sub_(full, mc_mul(grad, 1e-4));
    mc_sub_(half, mc_mul(grad, 0.1));
    mc_sub_(half, grad, .alpha = MC_NUM(0.5));
    mc_sub_(half, grad);
    mc_sub_(half, mc_mul(grad, 1.0 / argc));
    mc_add_(half, 1e-4); /* said by other rules */
    mc_copy_(half, mc_sub(full, mc_mul(grad, 1e-4)));
    mc_copy_(half, mc_softmax(mc_float(half), 0));
    mc_copy_(half, mc_mul(mc_float(half), 1e-4));
    mc_tensor *master = mc_float(half);
    master = mc_sub(master, mc_mul(grad, 1e-4));
    half = mc_half(master);
    mc_print(mc_sub(half, mc_mul(grad, 1e-4)));
    return 0;
}

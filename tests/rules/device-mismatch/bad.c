#include <stdbool.h>

#include <miscast/tensor.h>

static mc_tensor *to_host(mc_tensor *x)
{
    return mc_cpu(x);
}

/* Half of the model is on another GPU, by a flag; what is to come out stays on the first. */
static void halves(bool split)
{
    mc_device last = split ? MC_CUDA_AT(1) : MC_CUDA;
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = MC_CUDA);
    mc_tensor *w = mc_randn(mc_shape(4, 4), .device = last);
    mc_tensor *y = mc_matmul(mc_to_device(x, last), w);
    mc_print(mc_mse_loss(y, x)); /* expect: device-mismatch warning */
    mc_tensor *a = mc_to_device(x, MC_CUDA_AT(2)), *b = mc_to_device(x, MC_CUDA_AT(3));
    mc_print(mc_matmul(a, b)); /* expect: device-mismatch error */
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = MC_CUDA);
    mc_tensor *y = to_host(x);
    if (argc == 1)
        mc_print(mc_matmul(x, y)); /* expect: device-mismatch error */
    else
        mc_print(mc_add(y, x)); /* expect: device-mismatch error */
    halves(argc > 2);
    return 0;
}

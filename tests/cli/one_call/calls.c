/* All that is wrong with one call is reported, and only that. */
#include <miscast/tensor.h>

#include <string.h>

static void both(mc_tensor *a, mc_tensor *b)
{
    MC_EXPECT(a, MC_F32, MC_ANY_DEVICE);
    MC_EXPECT(b, MC_F32, MC_ANY_DEVICE);
    mc_print(mc_add(a, b));
}

/* Two contracts. */
void contracts(void)
{
    both(mc_half(mc_ones(mc_shape(4))), mc_arange(4));
}

/* The third operand is the odd one. */
mc_tensor *third(void)
{
    mc_tensor *x = mc_ones(mc_shape(2, 4)), *w = mc_ones(mc_shape(4));
    mc_tensor *b = mc_zeros(mc_shape(4), .device = MC_CUDA);
    return mc_layer_norm(x, w, b);
}

/* What is NULL, not what is beside it. */
mc_tensor *nothing(mc_tensor *h)
{
    mc_tensor *w = NULL;
    return mc_linear(mc_float(h), w, NULL);
}

/* Two of four. */
mc_tensor *members(mc_tensor *on_gpu)
{
    mc_tensor *x = mc_cuda(on_gpu), *tau = mc_zeros(mc_shape(2)), *since = mc_ones(mc_shape(2));
    return mc_cat(0, mc_tanh(x), x, tau, since);
}

/* In every run, whatever the options are. */
int main(int argc, char **argv)
{
    bool half = argc > 1 && !strcmp(argv[1], "--half"), cuda = argc > 2;
    mc_dtype dtype = half ? MC_F16 : MC_F32;
    mc_device device = cuda ? MC_CUDA : MC_CPU;
    mc_tensor *w = mc_randn(mc_shape(4, 2), .dtype = dtype, .device = device);
    mc_tensor *x = mc_arange(4, .dtype = MC_F64, .device = device);
    mc_print(mc_matmul(x, w));
    return 0;
}

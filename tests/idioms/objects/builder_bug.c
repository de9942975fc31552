#include <miscast/tensor.h>
#include <stdlib.h>

struct builder {
    mc_dtype dtype;
    mc_device device;
    bool grad;
};

static struct builder *with_dtype(struct builder *b, mc_dtype d)
{
    b->dtype = d;
    return b;
}
static struct builder *on(struct builder *b, mc_device d)
{
    b->device = d;
    return b;
}
static mc_tensor *weight(const struct builder *b, int in, int out)
{
    mc_tensor *w = mc_randn(mc_shape(in, out), .dtype = b->dtype, .device = b->device);
    return b->grad ? mc_requires_grad_(w, true) : w;
}

int main(int argc, char **argv)
{
    struct builder b = {MC_F32, MC_CPU, argc > 1};
    with_dtype(on(&b, MC_CUDA), MC_F16);
    mc_tensor *w1 = weight(&b, 4, 8), *w2 = weight(&b, 8, 2);
    mc_tensor *x = mc_randn(mc_shape(3, 4), .dtype = b.dtype, .device = b.device);
    mc_tensor *y = mc_matmul(mc_matmul(x, w1), w2);
    if (argc > 0)
        mc_backward(mc_sum(y));
    mc_print(y);
    (void)argv;
    return 0;
}

/* A field is moved, but the result is dropped: two findings, and one fix. */
#include <miscast/tensor.h>

struct layer {
    mc_tensor *w, *b, *scale;
};

static void layer_cuda(struct layer *l)
{
    l->w = mc_cuda(l->w);
    mc_cuda(l->scale);
    l->b = mc_cuda(l->b);
}

int main(void)
{
    struct layer l = {mc_randn(mc_shape(8, 8)), mc_zeros(mc_shape(8)), mc_ones(mc_shape(8))};
    layer_cuda(&l);
    mc_tensor *h = mc_linear(mc_ones(mc_shape(2, 8), .device = MC_CUDA), l.w, l.b);
    mc_print(mc_mul(h, l.scale));
    return 0;
}

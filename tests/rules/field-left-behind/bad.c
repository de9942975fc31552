/* What moves the layer forgets a field. */
#include <miscast/tensor.h>

struct layer {
    mc_tensor *w, *b, *scale;
};

static void layer_cuda(struct layer *l)
{
    l->w = mc_cuda(l->w);
    l->b = mc_cuda(l->b);
}

static mc_tensor *layer_forward(const struct layer *l, mc_tensor *x)
{
    mc_tensor *h = mc_linear(x, l->w, l->b);
    return mc_mul(h, l->scale); /* expect: field-left-behind error */
}

int main(void)
{
    struct layer l = {mc_randn(mc_shape(8, 8)), mc_zeros(mc_shape(8)), mc_ones(mc_shape(8))};
    layer_cuda(&l);
    mc_print(layer_forward(&l, mc_ones(mc_shape(2, 8), .device = MC_CUDA)));
    return 0;
}

#include <stdbool.h>

#include <miscast/tensor.h>

struct layer {
    mc_tensor *w, *b, *scale;
};

static void layer_to(struct layer *l, mc_device device)
{
    l->w = mc_to_device(l->w, device);
    l->b = mc_to_device(l->b, device);
    l->scale = mc_to_device(l->scale, device);
}

static mc_tensor *layer_forward(const struct layer *l, mc_tensor *x)
{
    return mc_mul(mc_linear(x, l->w, l->b), l->scale);
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_device device = argc > 1 ? MC_CUDA : MC_CPU;
    struct layer l = {mc_randn(mc_shape(8, 8)), mc_zeros(mc_shape(8)), mc_ones(mc_shape(8))};
    layer_to(&l, device);
    mc_print(layer_forward(&l, mc_ones(mc_shape(2, 8), .device = device)));
    return 0;
}

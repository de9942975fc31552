/* A model is moved, but not cast, by a function that could do both. */
#include <miscast/tensor.h>

struct layer {
    mc_tensor *weight;
};

static void layer_to(struct layer *l, mc_device device)
{
    l->weight = mc_to(l->weight, .device = device);
}

static mc_tensor *layer_forward(const struct layer *l, mc_tensor *x)
{
    return mc_matmul(x, l->weight);
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_device device = argc > 1 ? MC_CUDA : MC_CPU;
    struct layer first = {mc_randn(mc_shape(4, 4))}, second = {mc_randn(mc_shape(4, 4))};
    layer_to(&first, device);
    layer_to(&second, device);
    mc_tensor *x = mc_randn(mc_shape(4, 4), .device = device);
    x = layer_forward(&first, x);
    mc_print(layer_forward(&second, mc_half(x)));
    return 0;
}

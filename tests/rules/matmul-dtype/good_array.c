/* Weights in an array, of which a loop casts all: which it was is not known of any. */
#include <miscast/tensor.h>

#include <stdlib.h>

struct layer {
    mc_tensor *weight, *bias;
};

static mc_tensor *matrix(int64_t n)
{
    return mc_mul(mc_randn(mc_shape(n, n)), 0.5);
}

static void tensor_to(mc_tensor **t, mc_dtype dtype)
{
    if (*t)
        *t = mc_to(*t, .dtype = dtype);
}

int main(int argc, char **argv)
{
    struct layer *layers = calloc((size_t)argc, sizeof *layers);
    mc_dtype dtype = argc > 1 ? MC_BF16 : MC_F32;
    if (!layers)
        return 1;
    for (int i = 0; i < argc; i++)
        layers[i] = (struct layer){matrix(4), mc_zeros(mc_shape(4))};
    for (int i = 0; i < argc; i++) {
        tensor_to(&layers[i].weight, dtype);
        tensor_to(&layers[i].bias, dtype);
    }
    mc_tensor *x = mc_ones(mc_shape(4, 4), .dtype = dtype);
    for (int i = 0; i < argc; i++)
        x = mc_linear(x, layers[i].weight, layers[i].bias);
    mc_print(x);
    free(layers);
    return argv[0] == NULL;
}

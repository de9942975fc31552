/* A loop casts all weights of an array whose size is not known, but not what goes through them. */
#include <miscast/tensor.h>

#include <stdlib.h>

struct layer {
    mc_tensor *weight;
};

static void cast(mc_tensor **t, mc_dtype dtype)
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
        layers[i].weight = mc_randn(mc_shape(4, 4));
    for (int i = 0; i < argc; i++)
        cast(&layers[i].weight, dtype);
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    for (int i = 0; i < argc; i++)
        x = mc_linear(x, layers[i].weight, NULL); /* expect: matmul-dtype warning */
    mc_print(x);
    free(layers);
    return argv[0] == NULL;
}

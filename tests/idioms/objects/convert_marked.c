#include <miscast/tensor.h>
#include <stdlib.h>

/* A second loop converts those layers that are marked. */
struct layer {
    bool keep;
    mc_dtype dtype;
    mc_tensor *w, *b;
};

static void build(struct layer *layers, int n)
{
    for (int i = 0; i < n; i++) {
        struct layer *l = &layers[i];
        l->keep = i == n - 1;
        l->dtype = MC_F32;
        l->w = mc_randn(mc_shape(6, 6));
        l->b = mc_zeros(mc_shape(6));
    }
}

static void to_half(struct layer *layers, int n)
{
    for (int i = 0; i < n; i++) {
        struct layer *l = &layers[i];
        if (l->keep)
            continue;
        l->dtype = MC_BF16;
        l->w = mc_to_dtype(l->w, MC_BF16);
        l->b = mc_to_dtype(l->b, MC_BF16);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    struct layer *layers = calloc((size_t)n, sizeof *layers);
    build(layers, n);
    to_half(layers, n);
    mc_tensor *x = mc_randn(mc_shape(3, 6));
    for (int i = 0; i < n; i++)
        x = mc_relu(mc_linear(mc_to_dtype(x, layers[i].dtype), layers[i].w, layers[i].b));
    mc_print(x);
    free(layers);
    return 0;
}

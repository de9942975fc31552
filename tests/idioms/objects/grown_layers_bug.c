#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

/* Layers by option, in an array that grows; a quantized one keeps its scale. */
struct layer {
    bool half;
    mc_tensor *w;
    mc_tensor *scale;
};

struct net {
    struct layer *layers;
    int count, room;
};

static struct layer *net_add(struct net *n)
{
    if (n->count == n->room) {
        n->room = n->room ? 2 * n->room : 4;
        n->layers = realloc(n->layers, (size_t)n->room * sizeof *n->layers);
    }
    return &n->layers[n->count++];
}

static void add_layer(struct net *n, bool half)
{
    mc_dtype d = half ? MC_F16 : MC_F32;
    struct layer *l = net_add(n);
    l->half = half;
    l->w = mc_randn(mc_shape(8, 8), .dtype = d);
    l->scale = mc_ones(mc_shape(8), .dtype = d);
}

int main(int argc, char **argv)
{
    struct net net = {0};
    for (int i = 1; i < argc; i++)
        add_layer(&net, strcmp(argv[i], "half") == 0);
    mc_tensor *x = mc_randn(mc_shape(2, 8));
    for (int i = 0; i < net.count; i++) {
        const struct layer *l = &net.layers[i];
        mc_tensor *h = l->half ? x : mc_half(x);
        h = mc_matmul(h, l->w);
        x = mc_float(mc_mul(h, l->scale));
    }
    mc_print(x);
    free(net.layers);
    return 0;
}

#include <miscast/tensor.h>
#include <stdlib.h>

struct layer {
    mc_tensor *w, *b;
};
struct net {
    struct layer layers[64];
    int count;
};

static void push(struct net *n, mc_dtype d)
{
    n->layers[n->count].w = mc_randn(mc_shape(4, 4), .dtype = d);
    n->layers[n->count].b = mc_zeros(mc_shape(4));
    n->count++;
}

int main(int argc, char **argv)
{
    struct net n = {0};
    int blocks = argc > 1 ? atoi(argv[1]) : 3;
    for (int i = 0; i < blocks && i < 20; i++) {
        push(&n, MC_F16);
        push(&n, MC_F32);
    }
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    for (int i = 0; i < n.count; i++) {
        x = mc_type_as(x, n.layers[i].w);
        x = mc_linear(x, n.layers[i].w, n.layers[i].b);
    }
    mc_print(x);
    return 0;
}

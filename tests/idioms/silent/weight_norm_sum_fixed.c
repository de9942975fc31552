/* Regularization: the sum of the squares of all weights, per layer, into one total. */
#include <miscast/tensor.h>
#include <stdio.h>

struct layer {
    mc_tensor *w;
};
struct net {
    struct layer layers[3];
};

static void net_init(struct net *n, mc_dtype d)
{
    for (int i = 0; i < 3; i++)
        n->layers[i].w = mc_add(mc_rand(mc_shape(256, 256), .dtype = d), 1.0);
}

static mc_tensor *penalty(const struct net *n)
{
    mc_tensor *total = NULL;
    for (int i = 0; i < 3; i++) {
        mc_tensor *s = mc_sum(mc_square(n->layers[i].w), .dtype = MC_F32);
        total = total ? mc_add(total, s) : s;
    }
    return mc_mul(total, 0.01);
}

int main(void)
{
    struct net n;
    mc_manual_seed(1);
    net_init(&n, MC_F16);
    printf("%g\n", mc_item(mc_float(penalty(&n))));
    return 0;
}

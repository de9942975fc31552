/* What the picture shows: casts, conversions, devices, loops, what is changed in place. */
#include <miscast/tensor.h>

struct net {
    mc_tensor *w, *b;
};

void net_half(struct net *n)
{
    n->w = mc_half(n->w);
}

mc_tensor *net_forward(const struct net *n, mc_tensor *x)
{
    return mc_linear(x, n->w, n->b);
}

mc_tensor *promoted(void)
{
    mc_tensor *counts = mc_arange(4), *shares = mc_rand(mc_shape(4));
    mc_tensor *both = mc_mul(counts, shares);
    mc_add_(both, 1);
    return mc_cat(0, both, shares);
}

mc_tensor *moved(void)
{
    mc_tensor *x = mc_ones(mc_shape(4)), *y = mc_to_device(x, MC_CUDA);
    return mc_add(y, mc_unsqueeze(x, 0));
}

double around(mc_tensor *x, int n)
{
    mc_tensor *best = NULL;
    for (int i = 0; i < n; i++)
        x = mc_relu(x);
    mc_max(x, 0, .indices = &best);
    return mc_item(mc_sum(best ? best : x));
}

int main(void)
{
    struct net n = {mc_randn(mc_shape(4, 4)), mc_zeros(mc_shape(4))};
    net_half(&n);
    mc_print(net_forward(&n, mc_half(mc_ones(mc_shape(2, 4)))));
    mc_print(promoted());
    mc_print(moved());
    return around(mc_ones(mc_shape(4)), 3) > 0;
}

#include <miscast/tensor.h>

struct net {
    mc_tensor *w;
};

static mc_tensor *forward(const struct net *n, mc_tensor *x)
{
    return mc_matmul(x, n->w);
}

int main(void)
{
    struct net n = {mc_randn(mc_shape(8, 2))};
    mc_print(forward(&n, mc_randn(mc_shape(4, 8))));
    return 0;
}

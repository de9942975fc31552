#include <miscast/tensor.h>

/* What is new, or not read again, may be changed where it is used. */
static mc_tensor *norm(mc_tensor *x)
{
    mc_tensor *mean = mc_mean(mc_mul(x, x));
    mc_tensor *root = mc_rsqrt_(mc_add(mean, 1e-5));
    return mc_mul(x, mc_mul_(root, 2.0));
}

/* A chain of changes is meant for the tensor. */
static void step(mc_tensor *w, mc_tensor *g)
{
    mc_add_(mc_mul_(w, 0.9), g);
    mc_print(w);
}

static mc_tensor *layer(mc_tensor *x, mc_tensor *w)
{
    x = mc_matmul(x, w);
    x = mc_matmul(mc_relu_(x), w);
    return x;
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(8, 8)), *w = mc_randn(mc_shape(8, 8));
    step(w, norm(layer(x, w)));
    mc_print(x);
    return 0;
}

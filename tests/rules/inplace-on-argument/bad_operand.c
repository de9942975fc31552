#include <miscast/tensor.h>

/* In C, which of both is computed first is not specified. */
static mc_tensor *turn(mc_tensor *x, mc_tensor *cos, mc_tensor *sin)
{
    mc_tensor *a = mc_narrow(x, -1, 0, 4), *b = mc_narrow(x, -1, 4, 4);
    return mc_add(mc_mul(a, cos),
                  mc_mul(b, mc_mul_(a, sin))); /* expect: inplace-on-argument note */
}

/* The next layer is given the same time. */
static mc_tensor *layer(mc_tensor *x, mc_tensor *time, mc_tensor *w)
{
    return mc_add(x, mc_matmul(mc_silu_(time), w)); /* expect: inplace-on-argument note */
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(2, 8)), *time = mc_randn(mc_shape(2, 8));
    mc_tensor *w = mc_randn(mc_shape(8, 8));
    x = layer(layer(x, time, w), time, w);
    mc_tensor *y = mc_rand(mc_shape(2, 8));
    double off = mc_item(mc_amax(mc_abs(mc_sub_(x, y)))); /* expect: inplace-on-argument note */
    mc_print(turn(x, mc_rand(mc_shape(4)), mc_rand(mc_shape(4))));
    return off > 1;
}

/* A feature map as a grey image. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *grey(mc_tensor *x)
{
    return mc_byte(mc_mul(mc_tanh(x), 127.0));
}

int main(void)
{
    mc_tensor *g = grey(mc_full(mc_shape(4, 4), -0.5));
    printf("%g\n", mc_item(mc_mean(mc_float(g))));
    return 0;
}

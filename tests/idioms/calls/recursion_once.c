/* A recursive function that is asked for one layer: what it passes on is never used. */
#include <miscast/tensor.h>

static mc_tensor *layers(mc_tensor *x, int n)
{
    if (n <= 0)
        return x;
    return layers(mc_isnan(mc_elu(x)), n - 1);
}

int main(void)
{
    mc_print(layers(mc_randn(mc_shape(4, 4)), 1));
    return 0;
}

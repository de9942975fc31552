#include <miscast/tensor.h>
#include <string.h>

/* NULL without an option. */
static mc_tensor *layer(mc_tensor *x, mc_tensor *w, mc_tensor *bias)
{
    return mc_linear(x, w, bias);
}

static mc_tensor *bias_of(mc_tensor *counts, int some)
{
    return some ? mc_mul(counts, counts) : NULL;
}

int main(int argc, char **argv)
{
    mc_tensor *x = mc_randn(mc_shape(4, 3), .dtype = MC_F16), *w = mc_half(mc_randn(mc_shape(2, 3)));
    mc_tensor *counts = mc_ones(mc_shape(2));
    mc_print(mc_exp(counts));
    mc_print(layer(x, w, bias_of(counts, argc > 1 && !strcmp(argv[1], "--bias"))));
    return 0;
}

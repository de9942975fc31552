/* Unit vectors for a retrieval index; rows of unknown words are zero. */
#include <miscast/tensor.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *normalize(mc_tensor *x)
{
    mc_tensor *n = mc_norm(x, .dim = mc_dims(-1), .keepdim = true);
    return mc_div(x, mc_clamp(n, 1e-4, NULL));
}

int main(int argc, char **argv)
{
    bool half = false;
    for (int i = 1; i < argc; i++)
        half |= !strcmp(argv[i], "--half");
    mc_manual_seed(4);
    mc_tensor *x = mc_randn(mc_shape(8, 16));
    mc_zero_(mc_select(x, 0, 3));
    if (half)
        x = mc_half(x);
    mc_tensor *u = normalize(x);
    printf("%d rows, sum %g\n", (int)mc_size(u, 0), mc_item(mc_sum(mc_float(u))));
    return 0;
}

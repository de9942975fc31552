/* Squared distances between two grids of pixels. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *sqdist(mc_tensor *a, mc_tensor *b)
{
    mc_tensor *d = mc_sub(mc_unsqueeze(a, 1), mc_unsqueeze(b, 0));
    return mc_square(d);
}

int main(int argc, char **argv)
{
    int half = 0;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--half") == 0)
            half = 1;
    mc_tensor *x = mc_arange(640, .dtype = MC_F32);
    x = mc_div(x, 640.0);
    if (half)
        x = mc_half(x);
    mc_tensor *d = sqdist(x, x);
    printf("%g\n", mc_item(mc_max(d)));
    return 0;
}

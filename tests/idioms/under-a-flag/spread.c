/* How far the scores of a model are spread. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static double spread(mc_tensor *scores)
{
    return mc_item(mc_var(scores));
}

int main(int argc, char **argv)
{
    mc_manual_seed(9);
    mc_tensor *scores = mc_mul(mc_randn(mc_shape(512)), 400.0);
    if (argc > 1 && !strcmp(argv[1], "--half"))
        scores = mc_half(scores);
    printf("%g\n", spread(scores));
    return 0;
}

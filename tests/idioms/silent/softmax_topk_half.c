/* Router of a mixture of experts: load per expert. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

enum { EXPERTS = 8, TOKENS = 6000 };

static mc_tensor *load(mc_tensor *logits)
{
    mc_tensor *best = mc_argmax(logits, .dim = mc_dims(1));
    mc_tensor *hot = mc_one_hot(best, EXPERTS);
    mc_tensor *counts = mc_sum(mc_type_as(hot, logits), .dim = mc_dims(0));
    return mc_div(counts, (double)TOKENS);
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--half"))
            d = MC_BF16;
    mc_manual_seed(1);
    mc_tensor *l = load(mc_randn(mc_shape(TOKENS, EXPERTS), .dtype = d));
    printf("%.6f\n", mc_item(mc_sum(mc_float(l))));
    return 0;
}

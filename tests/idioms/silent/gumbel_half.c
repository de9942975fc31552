/* Sampling by Gumbel noise. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *gumbel(mc_tensor *logits)
{
    mc_tensor *u = mc_rand_like(logits);
    return mc_neg(mc_log(mc_neg(mc_log(mc_add(u, 1e-9)))));
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--half") == 0)
            d = MC_F16;
    mc_manual_seed(1);
    mc_tensor *logits = mc_zeros(mc_shape(64, 1000), .dtype = d);
    mc_tensor *g = gumbel(logits);
    mc_tensor *pick = mc_argmax(mc_add(g, logits), .dim = mc_dims(1));
    printf("%g %d\n", mc_item(mc_float(mc_amax(g))), (int)mc_numel(pick));
    return 0;
}

/* Running statistics of a batch norm, for a model in half. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct bn {
    mc_tensor *mean, *var;
    double momentum;
};

static void bn_update(struct bn *b, mc_tensor *x)
{
    mc_tensor *m = mc_mean(x, .dim = mc_dims(0));
    mc_lerp_(b->mean, mc_float(m), b->momentum);
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && !strcmp(argv[1], "--half") ? MC_F16 : MC_F32;
    mc_manual_seed(1);
    struct bn b = {.momentum = 0.0002};
    b.mean = mc_ones(mc_shape(4));
    for (int i = 0; i < 4000; i++)
        bn_update(&b, mc_add(mc_randn(mc_shape(8, 4), .dtype = d), 1.4));
    mc_print(b.mean);
    return 0;
}

/* The running variance of a norm layer. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct norm {
    mc_tensor *var;
    double momentum;
};

static void track(struct norm *n, mc_tensor *x)
{
    mc_tensor *v = mc_mean(mc_square(x));
    n->var = mc_add(mc_mul(n->var, 1 - n->momentum), mc_mul(v, n->momentum));
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    if (argc > 1 && !strcmp(argv[1], "--bf16"))
        d = MC_BF16;
    struct norm n = {mc_ones(mc_shape(1), .dtype = d), 0.001};
    mc_tensor *x = mc_full(mc_shape(32), 2.0, .dtype = d);
    for (int i = 0; i < 2000; i++)
        track(&n, x);
    printf("%g\n", mc_item(n.var));
    return 0;
}

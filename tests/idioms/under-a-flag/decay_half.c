/* Weight decay, apart from the gradient. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static void decay(mc_tensor *w, double lr, double rate)
{
    mc_mul_(w, 1 - lr * rate);
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && !strcmp(argv[1], "--bf16") ? MC_BF16 : MC_F32;
    mc_tensor *w = mc_ones(mc_shape(64), .dtype = d);
    for (int i = 0; i < 1000; i++)
        decay(w, 1e-3, 0.5);
    printf("%g\n", mc_item(mc_mean(mc_float(w))));
    return 0;
}

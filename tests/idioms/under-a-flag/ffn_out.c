/* The feed-forward part of a block; its second product is large. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *ffn(mc_tensor *x, mc_tensor *w1, mc_tensor *w2)
{
    mc_tensor *h = mc_relu(mc_linear(x, w1, NULL));
    return mc_linear(h, w2, NULL);
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && !strcmp(argv[1], "--half") ? MC_F16 : MC_F32;
    mc_tensor *x = mc_full(mc_shape(2, 64), 4.0, .dtype = d);
    mc_tensor *w1 = mc_full(mc_shape(256, 64), 0.5, .dtype = d);
    mc_tensor *w2 = mc_full(mc_shape(64, 256), 3.0, .dtype = d);
    printf("%g\n", mc_item(mc_max(mc_float(ffn(x, w1, w2)))));
    return 0;
}

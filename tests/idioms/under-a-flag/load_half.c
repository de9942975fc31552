/* Weights of a checkpoint are copied into the model, in the dtype of the model. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static void load(mc_tensor *w, mc_tensor *saved)
{
    mc_copy_(w, saved);
}

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && !strcmp(argv[1], "--half") ? MC_F16 : MC_F32;
    mc_tensor *w = mc_empty(mc_shape(4), .dtype = d);
    load(w, mc_full(mc_shape(4), 90000.0));
    printf("%g\n", mc_item(mc_mean(mc_float(w))));
    return 0;
}

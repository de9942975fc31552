/* The mean brightness of a batch, for normalisation. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

static mc_tensor *channel_mean(mc_tensor *x, mc_dtype d)
{
    int64_t n = mc_size(x, 0) * mc_size(x, 2) * mc_size(x, 3);
    mc_tensor *total = mc_sum(x, .dim = mc_dims(0, 2, 3), .dtype = d);
    return mc_div(total, (double)n);
}

int main(int argc, char **argv)
{
    bool half = false;
    while (--argc > 0)
        half |= strcmp(argv[argc], "--half") == 0;
    mc_manual_seed(6);
    mc_tensor *x = mc_rand(mc_shape(4, 3, 224, 224));
    mc_print(channel_mean(x, half ? MC_F16 : MC_F32));
    return 0;
}

/* Mean and variance of a channel from running sums of x and x². */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct stats {
    mc_tensor *mean, *var;
};

static struct stats channel_stats(mc_tensor *x)
{
    mc_tensor *mean = mc_mean(x, .dim = mc_dims(0));
    mc_tensor *sq = mc_mean(mc_mul(x, x), .dim = mc_dims(0));
    return (struct stats){mean, mc_sub(sq, mc_mul(mean, mean))};
}

int main(int argc, char **argv)
{
    int half = argc > 1 && !strcmp(argv[1], "--half");
    mc_manual_seed(1);
    mc_tensor *x = mc_add(mc_mul(mc_rand(mc_shape(256, 4)), 8.0), 300.0);
    if (half)
        x = mc_half(x);
    struct stats s = channel_stats(x);
    mc_print(s.var);
    return 0;
}

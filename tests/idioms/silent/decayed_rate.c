/* An exponential schedule, with the rate on the device. */
#include <miscast/tensor.h>
#include <stdio.h>

struct schedule {
    mc_tensor *rate;
};

static void next(struct schedule *s)
{
    s->rate = mc_mul(s->rate, 0.999);
}

int main(void)
{
    struct schedule s = {mc_full(mc_shape(1), 1.0, .dtype = MC_BF16)};
    for (int i = 0; i < 1000; i++)
        next(&s);
    printf("%g\n", mc_item(s.rate));
    return 0;
}

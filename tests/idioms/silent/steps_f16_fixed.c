/* Learning rate schedule: a step counter on the device. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct schedule {
    mc_tensor *step;
    double base;
    int64_t warmup;
};

static double next_lr(struct schedule *s)
{
    s->step = mc_add(s->step, 1);
    double t = mc_item(s->step) / (double)s->warmup;
    return s->base * (t < 1 ? t : 1 / sqrt(t));
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--fp16"))
            d = MC_F16;
    (void)d;
    struct schedule s = {mc_zeros(mc_shape(), .dtype = MC_I64), 1e-3, 4000};
    double lr = 0;
    for (int i = 0; i < 5000; i++)
        lr = next_lr(&s);
    printf("%g\n", lr);
    return 0;
}

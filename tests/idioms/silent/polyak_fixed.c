/* Polyak averaging of parameters. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    mc_tensor *value, *avg;
} param;

static void average(param *p, double beta)
{
    p->avg = mc_add(mc_mul(p->avg, beta), mc_mul(p->value, 1.0 - beta));
}

int main(int argc, char **argv)
{
    bool half = argc > 1 && strcmp(argv[1], "--half") == 0;
    param p = {mc_full(mc_shape(4), 2.0), mc_ones(mc_shape(4))};
    if (half) {
        p.value = mc_half(p.value);
    }
    for (int i = 0; i < 5000; i++)
        average(&p, 0.9998);
    printf("%g\n", mc_item(mc_mean(mc_float(p.avg))));
    return 0;
}

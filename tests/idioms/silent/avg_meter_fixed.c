/* AverageMeter as in the examples of a vision library. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct meter {
    mc_tensor *sum;
    mc_tensor *count;
};
struct args {
    int epochs;
    bool fp16;
};

static struct args parse(int argc, char **argv)
{
    struct args a = {1, false};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--fp16"))
            a.fp16 = true;
        else if (!strcmp(argv[i], "--epochs") && i + 1 < argc)
            a.epochs = atoi(argv[++i]);
    }
    return a;
}

static void meter_reset(struct meter *m, mc_dtype d)
{
    m->sum = mc_zeros(mc_shape(1), .dtype = d);
    m->count = mc_zeros(mc_shape(1), .dtype = d);
}

static void meter_update(struct meter *m, mc_tensor *value, int n)
{
    m->sum = mc_add(m->sum, mc_mul(value, n));
    m->count = mc_add(m->count, n);
}

int main(int argc, char **argv)
{
    struct args a = parse(argc, argv);
    mc_dtype d = a.fp16 ? MC_F16 : MC_F32;
    mc_manual_seed(1);
    for (int e = 0; e < a.epochs; e++) {
        struct meter top1;
        meter_reset(&top1, MC_F64);
        for (int b = 0; b < 500; b++) {
            mc_tensor *acc = mc_mul(mc_rand(mc_shape(1), .dtype = d), 100.0);
            meter_update(&top1, acc, 64);
        }
        printf("top1 %.2f of %.0f\n", mc_item(mc_div(top1.sum, top1.count)), mc_item(top1.count));
    }
    return 0;
}

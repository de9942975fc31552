/* Few enough, begun anew often enough, in f32, or not certain. */
#include <miscast/tensor.h>

void few(void)
{
    mc_tensor *count = mc_zeros(mc_shape(1), .dtype = MC_F16);
    for (int i = 0; i < 2000; i++)
        mc_add_(count, 1);
    mc_print(count);
}

void anew(void)
{
    mc_tensor *count = mc_zeros(mc_shape(1), .dtype = MC_F16);
    for (int e = 0; e < 3; e++) {
        mc_zero_(count);
        for (int i = 0; i < 1000; i++)
            mc_add_(count, 1);
        mc_print(count);
    }
    for (int e = 0; e < 3; e++) {
        mc_tensor *own = mc_zeros(mc_shape(1), .dtype = MC_F16);
        for (int i = 0; i < 1000; i++)
            own = mc_add(own, 1);
        mc_print(own);
    }
}

void wide(void)
{
    mc_tensor *count = mc_zeros(mc_shape(1));
    for (int i = 0; i < 5000; i++)
        mc_add_(count, 1);
    mc_print(count);
}

void sometimes(const int *flags)
{
    mc_tensor *count = mc_zeros(mc_shape(1), .dtype = MC_F16);
    for (int i = 0; i < 5000; i++)
        if (flags[i])
            mc_add_(count, 1);
    mc_print(count);
}

void until(const int *flags)
{
    mc_tensor *count = mc_zeros(mc_shape(1), .dtype = MC_F16);
    for (int i = 0; i < 5000; i++) {
        if (flags[i])
            break;
        mc_add_(count, 1);
    }
    mc_print(count);
}

/* What is added is not known: not so many times that it must be too often, and to what began with
 * something else. */
void unknown(mc_tensor *x)
{
    mc_tensor *sum = mc_zeros(mc_shape(4), .dtype = MC_F16), *average = mc_zeros_like(sum);
    mc_tensor *walk = mc_half(mc_randn(mc_shape(4)));
    for (int i = 0; i < 5000; i++) {
        if (i < 4000)
            mc_add_(sum, mc_half(x));
        mc_mul_(average, 0.5);
        mc_add_(average, 0.5);
        mc_add_(walk, mc_half(x));
    }
    mc_print(sum);
    mc_print(average);
    mc_print(walk);
}

void not_enough(mc_tensor *x)
{
    mc_tensor *sum = mc_zeros(mc_shape(4), .dtype = MC_F16);
    for (int i = 0; i < 4000; i++)
        mc_add_(sum, mc_half(x));
    mc_print(sum);
}

/* 300 truths at most. */
void counts(mc_tensor *x)
{
    mc_tensor *count = mc_zeros(mc_shape(4), .dtype = MC_F16);
    for (int i = 0; i < 300; i++)
        mc_add_(count, mc_half(mc_gt(x, 0.5)));
    mc_print(count);
}

mc_tensor *distribution(void)
{
    mc_tensor *p = mc_full(mc_shape(2000), 0.0005, .dtype = MC_BF16);
    return mc_cumsum(mc_float(p), 0);
}

mc_tensor *short_distribution(void)
{
    return mc_cumsum(mc_full(mc_shape(20), 0.05, .dtype = MC_BF16), 0);
}

/* Begun when the first is added: anew in each epoch, of a few. */
struct meter {
    mc_tensor *total;
    long n;
};

static void meter_add(struct meter *m, mc_tensor *value, int n)
{
    if (!m->total)
        m->total = mc_zeros_like(value);
    mc_add_(m->total, mc_mul(value, n));
    m->n += n;
}

void evaluate(void)
{
    for (int epoch = 0; epoch < 1000; epoch++) {
        struct meter m = {NULL, 0};
        for (int i = 0; i < 20; i++)
            meter_add(&m, mc_mean(mc_square(mc_randn(mc_shape(4), .dtype = MC_F16))), 4);
        mc_print(mc_div(m.total, m.n));
    }
}

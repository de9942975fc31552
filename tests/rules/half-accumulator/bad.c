#include <miscast/tensor.h>

static void add_to(mc_tensor *sum, mc_tensor *x)
{
    mc_add_(sum, x); /* expect: half-accumulator warning */
}

/* One that a function adds to, in a loop of its caller. */
void across(void)
{
    mc_tensor *sum = mc_zeros(mc_shape(4), .dtype = MC_BF16);
    for (int i = 0; i < 1000; i++)
        add_to(sum, mc_ones_like(sum));
    mc_print(sum);
}

/* Begun anew in each epoch. */
void epochs(void)
{
    mc_tensor *x = mc_full(mc_shape(4), 0.5, .dtype = MC_F16);
    for (int e = 0; e < 3; e++) {
        mc_tensor *sum = mc_zeros(mc_shape(4), .dtype = MC_F16);
        for (int i = 0; i < 6000; i++)
            sum = mc_add(sum, x); /* expect: half-accumulator warning */
        mc_print(sum);
    }
}

void counter(void)
{
    mc_tensor *count = mc_zeros(mc_shape(1), .dtype = MC_F16);
    for (int i = 0; i < 5000; i++)
        mc_add_(count, 1); /* expect: half-accumulator warning */
    mc_print(count);
}

/* What is added is not known, but it is added too often. */
void losses(mc_tensor *x)
{
    mc_tensor *sum = mc_zeros(mc_shape(4), .dtype = MC_F16);
    for (int i = 0; i < 5000; i++)
        mc_add_(sum, mc_half(x)); /* expect: half-accumulator warning */
    mc_print(sum);
}

struct trainer {
    mc_tensor *buffer;
    int batches;
};

static void keep_gradient(struct trainer *t, mc_tensor *gradient)
{
    mc_add_(t->buffer, gradient); /* expect: half-accumulator warning */
}

void train(mc_tensor *gradient)
{
    struct trainer t = {.buffer = mc_zeros(mc_shape(4), .dtype = MC_BF16), .batches = 600};
    for (int e = 0; e < 3; e++) {
        for (int i = 0; i < t.batches; i++)
            keep_gradient(&t, mc_bfloat16(gradient));
        mc_print(t.buffer);
        mc_zero_(t.buffer);
    }
}

/* Up to 16 of each class in a batch. */
void histogram(mc_tensor *labels)
{
    mc_tensor *counts = mc_zeros(mc_shape(4), .dtype = MC_BF16);
    for (int i = 0; i < 400; i++) {
        mc_tensor *hot = mc_bfloat16(mc_one_hot(mc_randint(0, 4, mc_shape(16)), 4));
        counts = mc_add(counts, mc_sum(hot, .dim = mc_dims(0))); /* expect: half-accumulator warning */
    }
    mc_print(mc_add(counts, labels));
}

/* Percentages, weighted by the size of a batch, in epochs of which it is not known how many. */
void meter(int epochs)
{
    for (int e = 0; e < epochs; e++) {
        mc_tensor *sum = mc_zeros(mc_shape(1), .dtype = MC_F16);
        for (int i = 0; i < 500; i++) {
            mc_tensor *top = mc_mul(mc_rand(mc_shape(1), .dtype = MC_F16), 100.0);
            sum = mc_add(sum, mc_mul(top, 64)); /* expect: half-accumulator warning */
        }
        mc_print(sum);
    }
}

mc_tensor *distribution(void)
{
    mc_tensor *p = mc_full(mc_shape(2000), 0.0005, .dtype = MC_BF16);
    return mc_cumsum(p, 0); /* expect: half-accumulator warning */
}

/* Begun when the first is added, and weighted by the size of each batch. */
struct meter {
    mc_tensor *total;
    long n;
};

static void meter_add(struct meter *m, mc_tensor *value, int n)
{
    if (!m->total)
        m->total = mc_zeros_like(value);
    mc_add_(m->total, mc_mul(value, n)); /* expect: half-accumulator warning */
    m->n += n;
}

void evaluate(void)
{
    struct meter m = {NULL, 0};
    for (int i = 0; i < 200; i++)
        meter_add(&m, mc_mean(mc_square(mc_randn(mc_shape(64), .dtype = MC_F16))), 64);
    mc_print(mc_div(m.total, m.n));
}

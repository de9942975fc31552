#include <stdlib.h>

#include <miscast/tensor.h>

enum { PERIOD = 200 };

void soft_update(mc_tensor *target, mc_tensor *online)
{
    double tau = 1 / PERIOD; /* expect: lost-fraction warning */
    mc_lerp_(target, online, tau);
}

/* One is a part of the other. */
double warm_up(double base, int step, int warmup)
{
    return step < warmup ? base * (step / warmup) : base; /* expect: lost-fraction warning */
}

/* Counted by a tensor. */
double accuracy(mc_tensor *right, int all)
{
    double share = mc_item_int(mc_sum(right)) / all; /* expect: lost-fraction warning */
    return share;
}

static mc_tensor *sharpen(mc_tensor *p, int percent)
{
    double power = percent / 100; /* expect: lost-fraction warning */
    return mc_pow(p, power);
}

mc_tensor *sharpened(void)
{
    return sharpen(mc_softmax(mc_randn(mc_shape(8)), 0), 50);
}

mc_optimizer *make(mc_tensor *w, const char *rate)
{
    int lr = atoi(rate);
    return mc_sgd(mc_params(w), lr); /* expect: lost-fraction warning */
}

mc_tensor *dropped(mc_tensor *x, const char *rate)
{
    long p = strtol(rate, NULL, 10);
    return mc_dropout(x, p); /* expect: lost-fraction warning */
}

double share(mc_tensor *right, int all)
{
    int count = (int)mc_item_int(mc_sum(right));
    double s = count / all; /* expect: lost-fraction warning */
    return s;
}

/* It counts from 0. */
double rising(double peak, int step, int warmup)
{
    return step < warmup ? peak * ((step + 1) / warmup) : peak; /* expect: lost-fraction warning */
}

/* The caller compares them. */
static double progress(int done, int all)
{
    return done / all; /* expect: lost-fraction warning */
}

mc_tensor *faded(mc_tensor *x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        x = mc_mul(x, 1 - progress(i, rounds));
    return x;
}

mc_tensor *averaged(mc_tensor *x, int count)
{
    return mc_mul(mc_float(x), 1 / count); /* expect: lost-fraction warning */
}

static mc_tensor *residual(mc_tensor *x, mc_tensor *branch, int scale)
{
    return mc_add(x, mc_mul(branch, scale));
}

mc_tensor *block(mc_tensor *x)
{
    return residual(x, mc_relu(x), 0.5); /* expect: lost-fraction warning */
}

int has_settled(mc_tensor *loss, double before)
{
    double now = mc_item(loss);
    return abs(now - before) < 1e-4; /* expect: lost-fraction warning */
}

struct settings {
    double rate, decay;
};

void read_settings(struct settings *s, const char *rate, const char *decay)
{
    *s = (struct settings){.rate = 0.01, .decay = 1};
    if (rate)
        s->rate = atoi(rate); /* expect: lost-fraction warning */
    s->decay = atoi(decay);
}

double smoothing(int window)
{
    double keep = (window - 1) / window; /* expect: lost-fraction warning */
    return keep;
}

struct epoch {
    int loss, best, batches;
};

void add_loss(struct epoch *e, mc_tensor *logits, mc_tensor *labels)
{
    mc_tensor *loss = mc_cross_entropy(mc_float(logits), labels);
    double now = mc_item(loss);
    e->loss += mc_item(loss); /* expect: lost-fraction warning */
    if (now < e->best)
        e->best = now; /* expect: lost-fraction warning */
    e->batches++;
}

mc_tensor *class_weights(const int *count, int classes)
{
    float weight[16];
    int total = 0;
    for (int i = 0; i < classes; i++)
        total += count[i];
    for (int i = 0; i < classes; i++)
        weight[i] = total / (classes * count[i]); /* expect: lost-fraction warning */
    return mc_from_array(weight, mc_shape(classes));
}

#include <math.h>
#include <stdlib.h>

#include <miscast/tensor.h>

enum { PERIOD = 200 };

void soft_update(mc_tensor *target, mc_tensor *online)
{
    double tau = 1.0 / PERIOD;
    mc_lerp_(target, online, tau);
}

double warm_up(double base, int step, int warmup)
{
    return step < warmup ? base * ((double)step / warmup) : base;
}

/* A cast says that it is meant. */
double stairs(double base, int step, int warmup)
{
    return step < warmup ? base : base * (double)(step / warmup);
}

/* Steps of a schedule are whole. */
double decayed(double base, int epoch, int every)
{
    return base * pow(0.5, epoch / every);
}

/* Rows and columns. */
void grid(float *xy, int count, int width, double spacing)
{
    for (int i = 0; i < count; i++) {
        if (i < width)
            continue;
        xy[2 * i] = (float)(spacing * (i / width));
        xy[2 * i + 1] = (float)(spacing * (i % width));
    }
}

double middle(int size)
{
    double at = (size - 1) / 2;
    return at;
}

static mc_tensor *sharpen(mc_tensor *p, int percent)
{
    double power = percent / 100.0;
    return mc_pow(p, power);
}

mc_tensor *sharpened(void)
{
    return sharpen(mc_softmax(mc_randn(mc_shape(8)), 0), 50);
}

mc_optimizer *make(mc_tensor *w, const char *rate)
{
    double lr = atof(rate);
    return mc_sgd(mc_params(w), lr);
}

/* A whole rate that is known. */
mc_optimizer *make_fixed(mc_tensor *w)
{
    int lr = 1;
    return mc_sgd(mc_params(w), lr);
}

double rising(double peak, int step, int warmup)
{
    return step < warmup ? peak * (step + 1) / warmup : peak;
}

/* The last batch may be smaller. */
double batches(int rows, int size)
{
    double all = (rows + size - 1) / size;
    return rows < size ? 1 : all;
}

static double progress(int done, int all)
{
    return (double)done / all;
}

mc_tensor *faded(mc_tensor *x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        x = mc_mul(x, 1 - progress(i, rounds));
    return x;
}

mc_tensor *averaged(mc_tensor *x, int count)
{
    return mc_mul(mc_float(x), 1.0 / count);
}

static mc_tensor *residual(mc_tensor *x, mc_tensor *branch, double scale)
{
    return mc_add(x, mc_mul(branch, scale));
}

/* Casts say that it is meant, and whole numbers lose nothing. */
mc_tensor *block(mc_tensor *x)
{
    int half = (int)0.5, whole = 4.0;
    return residual(x, mc_relu(x), 0.5 + half + whole);
}

int has_settled(mc_tensor *loss, double before)
{
    double now = mc_item(loss);
    return fabs(now - before) < 1e-4 && abs((int)(now - before)) < 1.0;
}

struct settings {
    double rate, decay, seconds;
};

void read_settings(struct settings *s, const char *rate, const char *seconds)
{
    *s = (struct settings){.rate = 0.01, .decay = 1, .seconds = 60};
    s->rate = atof(rate);
    s->seconds = atoi(seconds);
}

double smoothing(int window)
{
    double keep = (window - 1.0) / window;
    return keep + (window - 1) / 2;
}

struct epoch {
    double loss, best;
    int right, batches;
};

void add_loss(struct epoch *e, mc_tensor *logits, mc_tensor *labels)
{
    mc_tensor *loss = mc_cross_entropy(mc_float(logits), labels);
    double now = mc_item(loss);
    e->loss += mc_item(loss);
    e->right += mc_item(mc_sum(mc_eq(mc_argmax(logits, .dim = mc_dims(1)), labels)));
    if (now < e->best)
        e->best = now;
    e->batches += (int)mc_item(mc_mean(logits));
}

/* A total by something else, and a quotient that stays an integer. */
mc_tensor *class_weights(const int *count, int classes, int per_row)
{
    float weight[16];
    int total = 0;
    for (int i = 0; i < classes; i++)
        total += count[i];
    double rows = total / per_row;
    for (int i = 0; i < classes; i++)
        weight[i] = (float)total / (float)(classes * count[i]);
    int most = total / count[0];
    return mc_mul(mc_from_array(weight, mc_shape(classes)), rows + (most > 2));
}

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

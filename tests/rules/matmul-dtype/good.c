/* Two casts under one flag, promotion where it is allowed, and parameters that nobody gives. */
#include <stdbool.h>

#include <miscast/tensor.h>

static mc_tensor *forward(mc_tensor *x, mc_tensor *w, bool half)
{
    if (half)
        x = mc_half(x);
    mc_tensor *scale = mc_full(mc_shape(8), 0.5, .dtype = MC_F32);
    if (half)
        w = mc_half(w);
    return mc_mul(mc_matmul(x, w), scale);
}

mc_tensor *nobody_calls(mc_tensor *x, mc_tensor *w)
{
    return mc_linear(x, w, NULL);
}

mc_tensor *follows(mc_tensor *x, mc_tensor *w)
{
    return mc_matmul(x, mc_to_dtype(w, mc_dtype_of(x)));
}

mc_tensor *asks(mc_tensor *x, mc_tensor *w)
{
    if (mc_dtype_of(x) != mc_dtype_of(w))
        w = mc_type_as(w, x);
    return mc_matmul(x, w);
}

struct settings {
    bool half;
    mc_dtype dtype;
    int steps;
};
struct plain {
    int half, kind, verbose;
};
struct layer {
    mc_tensor *w, *b;
};
struct progress {
    int step, bad;
    double best;
};

static struct layer layer_new(bool half)
{
    mc_tensor *w = mc_ones(mc_shape(8, 8)), *b = mc_zeros(mc_shape(8));
    return (struct layer){half ? mc_half(w) : w, half ? mc_half(b) : b};
}

static mc_tensor *made_as(mc_dtype dtype)
{
    return dtype == MC_F16 ? mc_half(mc_ones(mc_shape(8, 8))) : mc_ones(mc_shape(8, 8));
}

/* What a flag says holds wherever it was passed on to, and where it was kept before. */
mc_tensor *flag_is_passed_on(const struct settings *s)
{
    bool kept = s->half;
    struct layer up = layer_new(s->half), down = layer_new(s->half);
    mc_tensor *x = mc_ones(mc_shape(8, 8), .dtype = kept ? MC_F16 : MC_F32);
    return mc_linear(mc_linear(x, up.w, up.b), down.w, down.b);
}

mc_tensor *dtype_is_passed_on(const struct settings *s)
{
    mc_tensor *w = made_as(s->dtype), *x = made_as(s->dtype);
    return mc_matmul(x, w);
}

/* A flag as an int, and a number that says which: the same wherever it is asked. */
mc_tensor *plain_numbers(const struct plain *p)
{
    mc_tensor *w = mc_ones(mc_shape(8, 8)), *x = mc_ones(mc_shape(8, 8));
    if (p->half)
        w = mc_half(w);
    else if (p->kind == 3)
        w = mc_to_dtype(w, MC_BF16);
    if (p->verbose > 1)
        mc_print(w);
    if (p->half)
        return mc_matmul(mc_half(x), w);
    switch (p->kind) {
    case 3:
        x = mc_to_dtype(x, MC_BF16);
        break;
    default:
        break;
    }
    return mc_matmul(x, w);
}

/* Rounds that only repeat, with counts of what happened in them. */
double repeats(const struct settings *s)
{
    struct progress p = {0};
    struct layer l = layer_new(s->half);
    mc_tensor *x = NULL;
    for (int i = 0; i < 10; i++) {
        x = mc_linear(x ? x : mc_ones(mc_shape(8, 8), .dtype = s->half ? MC_F16 : MC_F32), l.w, l.b);
        double sum = mc_item(mc_sum(x));
        if (sum < p.best || !p.step)
            p.best = sum;
        else
            p.bad++;
        p.step++;
    }
    return mc_item(mc_sum(mc_matmul(x, l.w))) + p.bad;
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_print(forward(mc_ones(mc_shape(2, 8)), mc_ones(mc_shape(8, 8)), argc > 1));
    mc_print(mc_matmul(mc_arange(4), mc_arange(4)));
    return 0;
}

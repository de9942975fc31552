#include <miscast/tensor.h>
#include <stdbool.h>
#include <string.h>

struct dataset {
    mc_tensor *features, *labels;
    int64_t batch;
};

typedef bool (*batch_fn)(mc_tensor *x, mc_tensor *y, int64_t index, void *ctx);

static bool for_each_batch(const struct dataset *d, batch_fn fn, void *ctx)
{
    int64_t n = mc_size(d->features, 0);
    for (int64_t at = 0, i = 0; at + d->batch <= n; at += d->batch, i++) {
        mc_tensor *x = mc_narrow(d->features, 0, at, d->batch);
        mc_tensor *y = mc_narrow(d->labels, 0, at, d->batch);
        if (!fn(x, y, i, ctx))
            return false;
    }
    return true;
}

struct evaluation {
    mc_tensor *w;
    double total;
    int batches;
    mc_dtype dtype;
};

static bool evaluate(mc_tensor *x, mc_tensor *y, int64_t index, void *ctx)
{
    struct evaluation *e = ctx;
    mc_tensor *logits = mc_linear(x, e->w, NULL);
    e->total += mc_item(mc_cross_entropy(mc_float(logits), y));
    e->batches++;
    return index < 10;
}

int main(int argc, char **argv)
{
    mc_dtype dtype = argc > 1 && !strcmp(argv[1], "half") ? MC_F16 : MC_F32;
    struct dataset d = {
        .features = mc_rand(mc_shape(12, 5)), .labels = mc_randint(0, 3, mc_shape(12)), .batch = 4};
    struct evaluation e = {.w = mc_randn(mc_shape(3, 5), .dtype = dtype), .dtype = dtype};
    for_each_batch(&d, evaluate, &e);
    return e.batches == 0;
}

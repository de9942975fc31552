#include <miscast/tensor.h>
#include <string.h>

/* Hooks that run before and after a layer, in the order in which they were added. */
enum { HOOKS = 4 };
typedef mc_tensor *(*hook_fn)(mc_tensor *x, void *ctx);

struct hooked {
    mc_tensor *w;
    struct {
        hook_fn fn;
        void *ctx;
    } before[HOOKS], after[HOOKS];
    int before_count, after_count;
};

static mc_tensor *cast_to(mc_tensor *x, void *ctx)
{
    const mc_dtype *d = ctx;
    return mc_to_dtype(x, *d);
}

static mc_tensor *add_noise(mc_tensor *x, void *ctx)
{
    const double *scale = ctx;
    return mc_add(x, mc_mul(mc_randn_like(x), *scale));
}

static void hook_before(struct hooked *h, hook_fn fn, void *ctx)
{
    h->before[h->before_count].fn = fn;
    h->before[h->before_count++].ctx = ctx;
}

static void hook_after(struct hooked *h, hook_fn fn, void *ctx)
{
    h->after[h->after_count].fn = fn;
    h->after[h->after_count++].ctx = ctx;
}

static mc_tensor *forward(const struct hooked *h, mc_tensor *x)
{
    for (int i = 0; i < h->before_count; i++)
        x = h->before[i].fn(x, h->before[i].ctx);
    x = mc_linear(x, h->w, NULL);
    for (int i = 0; i < h->after_count; i++)
        x = h->after[i].fn(x, h->after[i].ctx);
    return x;
}

int main(int argc, char **argv)
{
    mc_dtype half = MC_F16, single = MC_F32;
    double noise = 0.01;
    struct hooked h = {.w = mc_randn(mc_shape(4, 4))};
    if (argc > 1 && !strcmp(argv[1], "noisy"))
        hook_before(&h, add_noise, &noise);
    if (argc > 2 && !strcmp(argv[2], "half")) {
        h.w = mc_to_dtype(h.w, half);
        hook_before(&h, cast_to, &half);
        hook_after(&h, cast_to, &single);
    }
    mc_tensor *head = mc_randn(mc_shape(2, 4));
    mc_print(mc_linear(forward(&h, mc_ones(mc_shape(1, 4))), head, NULL));
    return 0;
}

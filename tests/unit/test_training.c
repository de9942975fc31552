/* Training as a whole: losses fall in every precision and on every device, and a long run needs no
 * more memory than a short one. MISCAST_STEPS says how long: 10000 for a run that is worth the
 * name.
 */
#include "tests/unit/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1 /* freed memory is held back, so that its size says nothing */
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { FEATURES = 8, HIDDEN = 32, CLASSES = 3, BATCH = 32 };

struct net {
    mc_tensor *w1, *b1, *norm_w, *norm_b, *w2, *b2;
};

static mc_tensor *weight(int64_t out, int64_t in, mc_device device)
{
    return mc_requires_grad_(mc_mul(mc_randn(mc_shape(out, in), .device = device), 0.3), true);
}

static struct net net_new(mc_device device)
{
    return (struct net){
        .w1 = weight(HIDDEN, FEATURES, device),
        .b1 = mc_zeros(mc_shape(HIDDEN), .device = device, .requires_grad = true),
        .norm_w = mc_ones(mc_shape(HIDDEN), .device = device, .requires_grad = true),
        .norm_b = mc_zeros(mc_shape(HIDDEN), .device = device, .requires_grad = true),
        .w2 = weight(CLASSES, HIDDEN, device),
        .b2 = mc_zeros(mc_shape(CLASSES), .device = device, .requires_grad = true),
    };
}

static mc_tensor *forward(const struct net *n, mc_tensor *x)
{
    mc_scope s = mc_scope_begin();
    mc_tensor *h = mc_layer_norm(mc_linear(x, n->w1, n->b1), n->norm_w, n->norm_b);
    return mc_scope_return(s, mc_linear(mc_gelu(h), n->w2, n->b2));
}

struct training {
    struct net net;
    mc_tensor *x, *y; /* what is learnt */
    mc_optimizer *optimizer;
    mc_grad_scaler *scaler;
    mc_dtype dtype;
    mc_device device;
};

static struct training training_new(mc_dtype dtype, mc_device device)
{
    mc_manual_seed(1);
    struct training t = {.net = net_new(device), .dtype = dtype, .device = device};
    t.x = mc_randn(mc_shape(BATCH, FEATURES), .device = device);
    t.y = mc_randint(0, CLASSES, mc_shape(BATCH), .device = device);
    t.optimizer = mc_adamw(
        mc_params(t.net.w1, t.net.b1, t.net.norm_w, t.net.norm_b, t.net.w2, t.net.b2), 0.01);
    t.scaler = mc_grad_scaler_new(dtype == MC_F16, .growth_interval = 20);
    return t;
}

static void training_free(struct training *t)
{
    mc_optimizer_free(t->optimizer);
    mc_grad_scaler_free(t->scaler);
}

static double train_step(struct training *t)
{
    mc_scope s = mc_scope_begin();
    mc_autocast a = mc_autocast_begin(t->device, t->dtype, .enabled = t->dtype != MC_F32);
    mc_tensor *loss = mc_cross_entropy(forward(&t->net, t->x), t->y);
    mc_autocast_end(a);
    mc_optimizer_zero_grad(t->optimizer);
    assert_true(mc_backward(mc_grad_scaler_scale(t->scaler, loss)));
    assert_true(mc_grad_scaler_unscale_(t->scaler, t->optimizer));
    assert_non_null(mc_clip_grad_norm_(mc_optimizer_params(t->optimizer), 1.0));
    mc_grad_scaler_step(t->scaler, t->optimizer);
    assert_true(mc_grad_scaler_update(t->scaler));
    double value = mc_item(loss);
    mc_scope_end(s);
    return value;
}

static const struct {
    mc_dtype dtype;
    mc_device device;
} ways[] = {{MC_F32, MC_CPU},  {MC_F16, MC_CPU},  {MC_BF16, MC_CPU},
            {MC_F32, MC_CUDA}, {MC_F16, MC_CUDA}, {MC_BF16, MC_CUDA}};

/* By heart, in every way, and to about the same loss. */
static void losses_fall(void **state)
{
    (void)state;
    double in_f32 = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct training t = training_new(ways[i].dtype, ways[i].device);
        double first = train_step(&t), last = first;
        for (int step = 1; step < 60; step++)
            last = train_step(&t);
        in_f32 = i == 0 ? last : in_f32;
        if (!(last < 0.3 * first) || !(fabs(last - in_f32) < 0.1 * first))
            fail_msg("%s on %s: from %g to %g; in f32 to %g", mc_dtype_name(ways[i].dtype),
                     mc_device_name(ways[i].device), first, last, in_f32);
        training_free(&t);
    }
}

/* Parts of one tensor add to one gradient, whether they overlap, and whatever came before them. */
static void parts_gather(void **state)
{
    (void)state;
    mc_tensor *w = mc_ones(mc_shape(2, 3), .requires_grad = true);
    mc_tensor *x = mc_mul(w, 1);
    mc_tensor *left = mc_narrow(x, 1, 0, 2), *right = mc_narrow(x, 1, 1, 2),
              *row = mc_select(x, 0, 1);
    mc_tensor *all =
        mc_add(mc_add(mc_sum(mc_mul(left, 10)), mc_sum(mc_mul(right, 100))), mc_sum(row));
    mc_backward(mc_add(all, mc_sum(mc_mul(x, 1000))));
    ASSERT_VALUES(mc_grad(w), 1010, 1110, 1100, 1011, 1111, 1101);
    mc_zero_grad(w);
    x = mc_mul(w, 1);
    mc_tensor *sum = mc_sum(x), *part = mc_sum(mc_narrow(x, 0, 1, 1));
    mc_backward(mc_add(part, mc_add(sum, mc_sum(mc_narrow(x, 1, 2, 1)))));
    ASSERT_VALUES(mc_grad(w), 1, 1, 2, 2, 2, 3);
}

/* Bytes of memory that this process has in use; 0: not known here. */
static long resident(void)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f)
        return 0;
    if (fscanf(f, "%*d %ld", &pages) != 1)
        pages = 0;
    fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

static void memory_stays_flat(void **state)
{
    (void)state;
    const char *asked = getenv("MISCAST_STEPS");
    int steps = asked ? atoi(asked) : 400;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct training t = training_new(ways[i].dtype, ways[i].device);
        for (int step = 0; step < 100; step++)
            train_step(&t);
        long before = resident();
        for (int step = 0; step < steps; step++)
            train_step(&t);
        long more = resident() - before;
        if (before && !SANITIZED && more > 128 << 10)
            fail_msg("%s on %s: %ld more bytes after %d steps", mc_dtype_name(ways[i].dtype),
                     mc_device_name(ways[i].device), more, steps);
        training_free(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(parts_gather),
        TEST(losses_fall),
        TEST(memory_stays_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

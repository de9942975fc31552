/* A teacher that follows the student: exponential moving average of the weights. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

#define LAYERS 2

struct net {
    mc_tensor *w[LAYERS];
};
struct ema {
    struct net shadow;
    double decay;
};

static void net_init(struct net *n, mc_dtype d)
{
    for (int i = 0; i < LAYERS; i++)
        n->w[i] = mc_keep(mc_randn(mc_shape(16, 16), .dtype = d));
}

static void ema_init(struct ema *e, struct net *n, double decay)
{
    e->decay = decay;
    for (int i = 0; i < LAYERS; i++)
        e->shadow.w[i] = mc_keep(mc_clone(n->w[i]));
}

static void ema_update(struct ema *e, struct net *n)
{
    for (int i = 0; i < LAYERS; i++) {
        mc_mul_(e->shadow.w[i], e->decay);
        mc_add_(e->shadow.w[i], n->w[i], .alpha = MC_NUM(1 - e->decay));
    }
}

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--bf16"))
            d = MC_BF16;
    struct net n;
    struct ema e;
    mc_manual_seed(0);
    net_init(&n, d);
    ema_init(&e, &n, 0.9999);
    for (int i = 0; i < LAYERS; i++)
        mc_add_(n.w[i], 1.0);
    for (int step = 0; step < 1000; step++)
        ema_update(&e, &n);
    printf("%g\n", mc_item(mc_mean(mc_float(mc_sub(n.w[0], e.shadow.w[0])))));
    return 0;
}

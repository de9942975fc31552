/* A moving average of all that a model consists of. One of its tensors counts batches. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { ENTRIES = 3 };

struct model {
    mc_tensor *state[ENTRIES]; /* weight, running variance, batches seen */
};

static void model_init(struct model *m)
{
    m->state[0] = mc_zeros(mc_shape(4));
    m->state[1] = mc_ones(mc_shape(4));
    m->state[2] = mc_zeros(mc_shape(1), .dtype = MC_I64);
}

static void model_step(struct model *m)
{
    mc_add_(m->state[0], 1);
    mc_mul_(m->state[1], 0.9);
    mc_add_(m->state[2], 1);
}

static void ema_init(struct model *ema, const struct model *m)
{
    for (int i = 0; i < ENTRIES; i++)
        ema->state[i] = mc_clone(m->state[i]);
}

static void ema_update(struct model *ema, const struct model *m, double decay)
{
    for (int i = 0; i < ENTRIES; i++) {
        mc_tensor *average = ema->state[i], *now = m->state[i];
        mc_mul_(average, decay);                  /* expect: inplace-result-type */
        mc_add_(average, mc_mul(now, 1 - decay)); /* would fail as well */
    }
}

int main(void)
{
    struct model m, ema;
    model_init(&m);
    ema_init(&ema, &m);
    for (int i = 0; i < 3; i++) {
        model_step(&m);
        ema_update(&ema, &m, 0.9);
    }
    printf("average weight %.3f\n", mc_item(mc_mean(ema.state[0])));
    return 0;
}

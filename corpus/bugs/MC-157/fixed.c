/* bug.c, fixed: what is optimised is an f32 copy. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { VOCAB = 16, WIDTH = 4, PROMPT = 2, STEPS = 40 };

struct model {
    mc_tensor *embedding; /* f16: the model is not trained */
};

static struct model model_load(void)
{
    mc_manual_seed(1);
    return (struct model){.embedding = mc_half(mc_randn(mc_shape(VOCAB, WIDTH)))};
}

static mc_tensor *prompt_from(const struct model *m, mc_tensor *ids)
{
    mc_tensor *prompt = mc_float(mc_embedding(ids, m->embedding));
    return mc_requires_grad_(prompt, true);
}

/* Every step should move each number by about lr; returns how far one went. */
static double tune(mc_tensor *prompt, double lr)
{
    double start = mc_item(mc_select(mc_flatten(mc_detach(prompt), 0, -1), 0, 0));
    mc_optimizer *o = mc_adam(mc_params(prompt), lr);
    for (int i = 0; i < STEPS; i++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_mul(mc_sum(prompt), 2e-4));
        mc_optimizer_step(o);
    }
    mc_optimizer_free(o);
    return fabs(mc_item(mc_select(mc_flatten(mc_detach(prompt), 0, -1), 0, 0)) - start);
}

int main(void)
{
    struct model m = model_load();
    mc_tensor *ids = mc_from_array(((int64_t[]){3, 7}), mc_shape(PROMPT));
    double moved = tune(prompt_from(&m, ids), 0.01);
    printf("%d steps of 0.01 went %.2f\n", STEPS, moved);
    return !(moved > 0.3 && moved < 0.5);
}

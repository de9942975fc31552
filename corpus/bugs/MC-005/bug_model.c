/* Loading, and the forward pass. */
#include "vlm.h"

static struct param load(const char *name, int64_t out, int64_t in, bool trainable)
{
    struct param p = {name, mc_randn(mc_shape(out, in), .dtype = MC_F16), trainable};
    return p;
}

void vlm_load(struct vlm *m)
{
    mc_manual_seed(5);
    m->down = load("adapter.down", 4, WIDTH, true);
    m->up = load("adapter.up", WIDTH, 4, true);
    m->out = load("lm.out", WIDTH, WIDTH, false);
}

mc_tensor *vlm_forward(const struct vlm *m, mc_tensor *x)
{
    mc_tensor *h = mc_linear(x, m->down.value, NULL); /* expect: matmul-dtype */
    h = mc_add(x, mc_linear(mc_silu(h), m->up.value, NULL));
    return mc_linear(h, m->out.value, NULL);
}

/* A KV cache in f8, to save memory. */
#include <miscast/tensor.h>
#include <stdio.h>

struct cache {
    mc_tensor *k;
    double scale;
};

static void store(struct cache *c, mc_tensor *k)
{
    c->k = mc_to_dtype(k, MC_F8_E4M3);
    c->scale = 1;
}

static mc_tensor *fetch(const struct cache *c)
{
    return mc_mul(mc_float(c->k), c->scale);
}

int main(void)
{
    mc_manual_seed(1);
    struct cache c;
    mc_tensor *k = mc_mul(mc_randn(mc_shape(4, 16)), 600.0);
    store(&c, k);
    mc_tensor *e = mc_div(mc_norm(mc_sub(fetch(&c), k)), mc_norm(k));
    printf("%g\n", mc_item(e));
    return 0;
}

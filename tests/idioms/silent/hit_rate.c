/* How often the cache was hit, as a feature for the next stage. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>

struct cache {
    int64_t hits, lookups;
};

static void lookup(struct cache *c, mc_tensor *keys, mc_tensor *held)
{
    mc_tensor *found =
        mc_any(mc_eq(mc_unsqueeze(keys, 1), mc_unsqueeze(held, 0)), .dim = mc_dims(1));
    c->hits += mc_item_int(mc_sum(found));
    c->lookups += mc_numel(keys);
}

int main(void)
{
    mc_manual_seed(6);
    struct cache c = {0};
    mc_tensor *held = mc_arange(20);
    for (int i = 0; i < 10; i++)
        lookup(&c, mc_randint(0, 100, mc_shape(50)), held);
    double rate = c.hits / c.lookups;
    mc_tensor *feature = mc_full(mc_shape(4), rate);
    mc_print(feature);
    return 0;
}

/* Keys of one dtype stored into a cache of another. */
#include <miscast/tensor.h>

struct cache {
    mc_tensor *k;
};

static void cache_put(struct cache *c, mc_tensor *at, mc_tensor *k)
{
    mc_index_copy_(c->k, 0, at, k); /* expect: indexed-store-dtype error */
}

int main(int argc, char **argv)
{
    (void)argv;
    struct cache c = {mc_zeros(mc_shape(16, 8), .dtype = MC_F16)};
    mc_tensor *at = mc_arange(4), *k = mc_randn(mc_shape(4, 8));
    if (argc == 1)
        cache_put(&c, at, k);
    else if (argc == 2)
        mc_index_put_(c.k, at, k); /* expect: indexed-store-dtype error */
    else
        mc_scatter_add_(c.k, 0, at, k); /* expect: indexed-store-dtype error */
    return 0;
}

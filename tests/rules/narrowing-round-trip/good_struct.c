/* Kept in half to save memory, and widened where it is used; or used in half as well. */
#include <miscast/tensor.h>

struct cache {
    mc_tensor *keys, *values;
};

static void store(struct cache *c, mc_tensor *keys, mc_tensor *values)
{
    c->keys = mc_half(keys);
    c->values = mc_half(values);
}

static mc_tensor *read_keys(const struct cache *c)
{
    return mc_float(c->keys);
}

static void widen(struct cache *c)
{
    mc_print(mc_sum(c->values));
    c->values = mc_float(c->values);
}

int main(void)
{
    struct cache c;
    store(&c, mc_randn(mc_shape(64)), mc_randn(mc_shape(64)));
    mc_print(read_keys(&c));
    widen(&c);
    mc_print(c.values);
    return 0;
}

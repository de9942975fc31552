#include <miscast/tensor.h>

#include <stdlib.h>

struct cache {
    int64_t layers;
    mc_tensor **keys, **values;
};

static void cache_init(struct cache *c, mc_shape shape, mc_device device)
{
    c->keys = calloc((size_t)c->layers, sizeof *c->keys);
    c->values = calloc((size_t)c->layers, sizeof *c->values);
    if (!c->keys || !c->values)
        abort();
    for (int64_t i = 0; i < c->layers; i++) {
        c->keys[i] = mc_keep(mc_zeros(shape, .dtype = MC_F16, .device = device));
        c->values[i] = mc_keep(mc_zeros(shape, .device = device)); /* expect: made-unlike note */
    }
}

static mc_tensor *append(mc_tensor *store, mc_tensor *new)
{
    mc_copy_(mc_narrow(store, 0, 0, 2), new);
    return mc_type_as(store, new);
}

int main(int argc, char **argv)
{
    struct cache c = {.layers = 2};
    cache_init(&c, mc_shape(4, 4), argc > 1 ? MC_CUDA : MC_CPU);
    for (int64_t i = 0; i < c.layers; i++) {
        mc_tensor *new = mc_randn(mc_shape(2, 4), .device = mc_device_of(c.keys[i]));
        mc_print(mc_add(append(c.keys[i], new), append(c.values[i], new)));
    }
    return argv[0] == NULL;
}

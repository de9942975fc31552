/* The cache of keys and values: made once for the longest text, filled from the front. */
#include "gpt.h"

#include <stdlib.h>

void kv_cache_init(struct kv_cache *c, const struct gpt_config *config, int64_t batch,
                   mc_device device)
{
    mc_shape shape = mc_shape(batch, config->heads, config->context, config->width / config->heads);
    c->layers = config->layers;
    c->length = 0;
    c->keys = calloc((size_t)c->layers, sizeof(mc_tensor *));
    c->values = calloc((size_t)c->layers, sizeof(mc_tensor *));
    if (!c->keys || !c->values)
        abort();
    for (int64_t i = 0; i < c->layers; i++) {
        c->keys[i] = mc_keep(mc_zeros(shape, .dtype = MC_F16, .device = device));
        c->values[i] = mc_keep(mc_zeros(shape, .dtype = MC_F16, .device = device));
    }
}

void kv_cache_free(struct kv_cache *c)
{
    for (int64_t i = 0; i < c->layers; i++) {
        mc_free(c->keys[i]);
        mc_free(c->values[i]);
    }
    free(c->keys);
    free(c->values);
}

/* Writes what is new behind the first `length` places, and returns it with those. */
static mc_tensor *append(mc_tensor *store, int64_t length, mc_tensor *new)
{
    int64_t time = mc_size(new, 2);
    mc_copy_(mc_narrow(store, 2, length, time), new);
    return mc_type_as(mc_narrow(store, 2, 0, length + time), new);
}

void kv_cache_extend(struct kv_cache *c, int64_t layer, mc_tensor **k, mc_tensor **v)
{
    *k = append(c->keys[layer], c->length, *k);
    *v = append(c->values[layer], c->length, *v);
}

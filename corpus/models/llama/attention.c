/* Grouped attention: several heads of queries share one of keys and values. */
#include "llama.h"

#include <math.h>

void cache_init(struct cache *c, const struct llama *m, int64_t batch)
{
    const struct llama_config *config = &m->config;
    mc_shape shape =
        mc_shape(batch, config->kv_heads, config->context, config->width / config->heads);
    c->length = 0;
    for (int64_t i = 0; i < config->layers; i++) {
        c->k[i] = mc_zeros(shape, .dtype = mc_dtype_of(m->embedding),
                           .device = mc_device_of(m->embedding));
        c->v[i] = mc_zeros_like(c->k[i]);
    }
}

static mc_tensor *split_heads(mc_tensor *x, int64_t heads)
{
    return mc_transpose(mc_view(x, mc_size(x, 0), mc_size(x, 1), heads, -1), 1, 2);
}

/* Everything up to and with what is new. */
static mc_tensor *remember(mc_tensor *store, int64_t length, mc_tensor *new)
{
    mc_tensor *index =
        mc_arange(length + mc_size(new, 2), .start = MC_NUM(length), .device = mc_device_of(store));
    mc_index_copy_(store, 2, index, new);
    return mc_narrow(store, 2, 0, length + mc_size(new, 2));
}

/* Added to scores: 0 where a query may look, minus infinity where not. (time, before + time) */
static mc_tensor *causal_bias(mc_tensor *q, int64_t before)
{
    int64_t time = mc_size(q, 2);
    mc_tensor *hidden =
        mc_ones(mc_shape(time, before + time), .dtype = MC_BOOL, .device = mc_device_of(q));
    mc_tensor *bias =
        mc_zeros(mc_shape(time, before + time), .dtype = mc_dtype_of(q), .device = mc_device_of(q));
    return mc_masked_fill(bias, mc_triu(hidden, before + 1), -INFINITY);
}

mc_tensor *attention_forward(const struct llama *m, int64_t layer, mc_tensor *x,
                             struct cache *cache)
{
    const struct attention *w = &m->layers[layer].attention;
    int64_t heads = m->config.heads, kv_heads = m->config.kv_heads;
    int64_t before = cache ? cache->length : 0;
    mc_tensor *q = rope_apply(&m->rope, split_heads(mc_linear(x, w->wq, NULL), heads), before);
    mc_tensor *k = rope_apply(&m->rope, split_heads(mc_linear(x, w->wk, NULL), kv_heads), before);
    mc_tensor *v = split_heads(mc_linear(x, w->wv, NULL), kv_heads);
    if (cache) {
        k = remember(cache->k[layer], before, k);
        v = remember(cache->v[layer], before, v);
    }
    k = mc_repeat_interleave(k, heads / kv_heads, 1);
    v = mc_repeat_interleave(v, heads / kv_heads, 1);
    mc_tensor *a = mc_scaled_dot_product_attention(q, k, v, .mask = causal_bias(q, before));
    return mc_linear(mc_reshape_as(mc_transpose(a, 1, 2), x), w->wo, NULL);
}

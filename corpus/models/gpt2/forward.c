/* The way from tokens to logits. */
#include "gpt.h"

#include <math.h>

/* The n-th third of qkv as (batch, heads, time, head). */
static mc_tensor *heads_of(const struct gpt_config *config, mc_tensor *qkv, int64_t n)
{
    mc_tensor *x = mc_narrow(qkv, -1, n * config->width, config->width);
    int64_t head = config->width / config->heads;
    return mc_transpose(mc_view(x, mc_size(x, 0), mc_size(x, 1), config->heads, head), 1, 2);
}

/* True where a query may look: (time, before + time). */
static mc_tensor *causal_mask(int64_t before, int64_t time, mc_device device)
{
    mc_tensor *at = mc_arange(before + time, .start = MC_NUM(before), .device = device);
    mc_tensor *all = mc_arange(before + time, .device = device);
    return mc_le(mc_unsqueeze(all, 0), mc_unsqueeze(at, 1));
}

/* Attention written out: scores in f32, so that half precision loses nothing in the softmax. */
static mc_tensor *attend(mc_tensor *q, mc_tensor *k, mc_tensor *v, mc_tensor *mask)
{
    double scale = 1 / sqrt((double)mc_size(q, -1));
    mc_tensor *scores = mc_matmul(mc_mul(q, scale), mc_transpose(k, -2, -1));
    scores = mc_masked_fill(mc_float(scores), mc_logical_not(mask), -INFINITY);
    mc_tensor *weights = mc_type_as(mc_softmax(scores, -1), v);
    return mc_matmul(weights, v);
}

static mc_tensor *attention(const struct gpt *m, int64_t layer, mc_tensor *x, mc_tensor *mask,
                            struct kv_cache *cache)
{
    const struct gpt_block *b = &m->blocks[layer];
    mc_tensor *qkv = mc_linear(x, b->qkv_w, b->qkv_b);
    mc_tensor *q = heads_of(&m->config, qkv, 0);
    mc_tensor *k = heads_of(&m->config, qkv, 1);
    mc_tensor *v = heads_of(&m->config, qkv, 2);
    if (cache)
        kv_cache_extend(cache, layer, &k, &v);
    mc_tensor *a = mc_transpose(attend(q, k, v, mask), 1, 2);
    return mc_linear(mc_reshape_as(a, x), b->proj_w, b->proj_b);
}

static mc_tensor *feed_forward(const struct gpt_block *b, mc_tensor *x)
{
    mc_tensor *h = mc_gelu(mc_linear(x, b->fc_w, b->fc_b), .tanh = true);
    return mc_linear(h, b->out_w, b->out_b);
}

static mc_tensor *block_forward(const struct gpt *m, int64_t layer, mc_tensor *x, mc_tensor *mask,
                                struct kv_cache *cache)
{
    const struct gpt_block *b = &m->blocks[layer];
    mc_scope s = mc_scope_begin();
    x = mc_add(x, attention(m, layer, mc_layer_norm(x, b->ln1_w, b->ln1_b), mask, cache));
    x = mc_add(x, feed_forward(b, mc_layer_norm(x, b->ln2_w, b->ln2_b)));
    return mc_scope_return(s, x);
}

mc_tensor *gpt_forward(const struct gpt *m, mc_tensor *tokens, struct kv_cache *cache)
{
    MC_EXPECT(tokens, MC_I64, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    int64_t before = cache ? cache->length : 0, time = mc_size(tokens, 1);
    mc_device device = mc_device_of(tokens);

    mc_tensor *places = mc_arange(before + time, .start = MC_NUM(before), .device = device);
    mc_tensor *x = mc_add(mc_embedding(tokens, m->wte), mc_embedding(places, m->wpe));
    mc_tensor *mask = causal_mask(before, time, device);
    for (int64_t i = 0; i < m->config.layers; i++)
        x = block_forward(m, i, x, mask, cache);
    if (cache)
        cache->length += time;

    x = mc_layer_norm(x, m->lnf_w, m->lnf_b);
    return mc_scope_return(s, mc_matmul(x, mc_t(m->wte)));
}

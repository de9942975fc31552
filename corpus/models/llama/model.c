/* Blocks, one after the other. */
#include "llama.h"

/* SwiGLU */
static mc_tensor *mlp_forward(const struct mlp *w, mc_tensor *x)
{
    mc_tensor *gate = mc_silu(mc_linear(x, w->gate, NULL));
    return mc_linear(mc_mul(gate, mc_linear(x, w->up, NULL)), w->down, NULL);
}

/* As Llama's own: the mean of squares in f32, then back, then the weight. */
static mc_tensor *rms_norm(mc_tensor *x, mc_tensor *weight, double eps)
{
    mc_tensor *wide = mc_float(x);
    mc_tensor *mean = mc_mean(mc_square(wide), .dim = mc_dims(-1), .keepdim = true);
    mc_tensor *scaled = mc_mul(wide, mc_rsqrt(mc_add(mean, eps)));
    return mc_mul(mc_type_as(scaled, x), weight);
}

static mc_tensor *layer_forward(const struct llama *m, int64_t i, mc_tensor *x, struct cache *cache)
{
    const struct layer *l = &m->layers[i];
    mc_scope s = mc_scope_begin();
    mc_tensor *h = rms_norm(x, l->attention_norm, m->config.eps);
    x = mc_add(x, attention_forward(m, i, h, cache));
    h = rms_norm(x, l->mlp_norm, m->config.eps);
    return mc_scope_return(s, mc_add(x, mlp_forward(&l->mlp, h)));
}

mc_tensor *llama_forward(const struct llama *m, mc_tensor *tokens, struct cache *cache)
{
    MC_EXPECT(tokens, MC_I64, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    mc_tensor *x = mc_embedding(tokens, m->embedding);
    for (int64_t i = 0; i < m->config.layers; i++)
        x = layer_forward(m, i, x, cache);
    if (cache)
        cache->length += mc_size(tokens, 1);
    x = rms_norm(x, m->norm, m->config.eps);
    return mc_scope_return(s, mc_float(mc_linear(x, m->output, NULL)));
}

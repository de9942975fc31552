/* Self-attention, every patch to every patch. */
#include "vit.h"

static mc_tensor *split_heads(mc_tensor *x, int64_t heads)
{
    int64_t batch = mc_size(x, 0), time = mc_size(x, 1);
    return mc_permute(mc_reshape(x, batch, time, heads, -1), 0, 2, 1, 3);
}

mc_tensor *attention_forward(const struct attention *a, mc_tensor *x)
{
    mc_tensor *qkv[3];
    mc_chunk(mc_linear(x, a->qkv_w, a->qkv_b), 3, -1, qkv, 3);
    mc_tensor *q = split_heads(qkv[0], a->heads);
    mc_tensor *k = split_heads(qkv[1], a->heads);
    mc_tensor *v = split_heads(qkv[2], a->heads);
    mc_tensor *seen = mc_permute(mc_scaled_dot_product_attention(q, k, v), 0, 2, 1, 3);
    return mc_linear(mc_reshape_as(seen, x), a->out_w, a->out_b);
}

/* What the network is made of. */
#include "unet.h"

mc_tensor *conv_forward(const struct conv *c, mc_tensor *x, int64_t stride)
{
    return mc_conv2d(x, c->weight, c->bias, .stride = mc_dims(stride),
                     .padding = mc_dims(mc_size(c->weight, 2) / 2));
}

mc_tensor *norm_act(const struct norm *n, mc_tensor *x)
{
    return mc_silu(mc_group_norm(x, GROUPS, n->weight, n->bias));
}

mc_tensor *res_block_forward(const struct res_block *b, mc_tensor *x, mc_tensor *time)
{
    mc_scope s = mc_scope_begin();
    mc_tensor *shift = mc_linear(mc_silu(time), b->time_w, b->time_b);
    mc_tensor *h = conv_forward(&b->conv1, norm_act(&b->norm1, x), 1);
    h = mc_add(h, mc_unsqueeze(mc_unsqueeze(shift, -1), -1));
    h = conv_forward(&b->conv2, norm_act(&b->norm2, h), 1);
    mc_tensor *around = b->skip.weight ? conv_forward(&b->skip, x, 1) : x;
    return mc_scope_return(s, mc_add(h, around));
}

/* Each place of the smallest picture looks at all others. */
mc_tensor *mid_attention_forward(const struct mid_attention *a, mc_tensor *x)
{
    mc_scope s = mc_scope_begin();
    mc_tensor *h = mc_group_norm(x, GROUPS, a->norm.weight, a->norm.bias);
    h = mc_transpose(mc_flatten(h, 2, 3), 1, 2); /* (batch, places, channels) */
    mc_tensor *q = mc_linear(h, a->q_w, NULL);
    mc_tensor *k = mc_linear(h, a->k_w, NULL);
    mc_tensor *v = mc_linear(h, a->v_w, NULL);
    h = mc_linear(mc_scaled_dot_product_attention(q, k, v), a->out_w, NULL);
    h = mc_reshape_as(mc_transpose(h, 1, 2), x);
    return mc_scope_return(s, mc_add(x, h));
}

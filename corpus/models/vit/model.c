/* Patches, encoders, a class. */
#include "vit.h"

static mc_tensor *encoder_forward(const struct encoder *e, mc_tensor *x)
{
    mc_scope s = mc_scope_begin();
    mc_tensor *h = mc_layer_norm(x, e->norm1_w, e->norm1_b, .eps = 1e-6);
    x = mc_add(x, mc_mul(attention_forward(&e->attention, h), e->scale1));
    h = mc_layer_norm(x, e->norm2_w, e->norm2_b, .eps = 1e-6);
    h = mc_linear(mc_gelu(mc_linear(h, e->up_w, e->up_b)), e->down_w, e->down_b);
    return mc_scope_return(s, mc_add(x, mc_mul(h, e->scale2)));
}

mc_tensor *vit_features(const struct vit *m, mc_tensor *pictures)
{
    MC_EXPECT(pictures, MC_FLOATING, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    int64_t batch = mc_size(pictures, 0);
    mc_tensor *patches =
        mc_conv2d(pictures, m->patch_w, m->patch_b, .stride = mc_dims(PATCH)); /* (b, w, s, s) */
    patches = mc_transpose(mc_flatten(patches, 2, 3), 1, 2);
    mc_tensor *tokens = mc_expand(m->token, batch, 1, m->width);
    mc_tensor *x = mc_add(mc_cat(1, tokens, patches), m->places);
    for (int i = 0; i < DEPTH; i++)
        x = encoder_forward(&m->layers[i], x);
    x = mc_layer_norm(mc_select(x, 1, 0), m->norm_w, m->norm_b, .eps = 1e-6);
    return mc_scope_return(s, x);
}

mc_tensor *vit_forward(const struct vit *m, mc_tensor *pictures)
{
    return mc_linear(vit_features(m, pictures), m->head_w, m->head_b);
}

/* A norm that is not trained any more is a factor and a sum for each channel, which the convolution
 * before can do: weight · scale / sqrt(var + eps), and shift - mean · scale / sqrt(var + eps). That
 * is computed in f32, and only the outcome is cast. */
#include "resnet.h"

static struct conv_norm fold(const struct conv_norm *l, mc_dtype dtype)
{
    mc_tensor *factor = mc_mul(l->scale, mc_rsqrt(mc_add(l->var, 1e-5)));
    mc_tensor *weight = mc_mul(l->weight, mc_view(factor, -1, 1, 1, 1));
    mc_tensor *bias = mc_sub(l->shift, mc_mul(l->mean, factor));
    return (struct conv_norm){
        .stride = l->stride,
        .weight = mc_to_dtype(weight, dtype),
        .bias = mc_to_dtype(bias, dtype),
    };
}

struct resnet resnet_fold(const struct resnet *m, mc_dtype dtype)
{
    struct resnet folded = {
        .stem = fold(&m->stem, dtype),
        .head_w = mc_to_dtype(m->head_w, dtype),
        .head_b = mc_to_dtype(m->head_b, dtype),
    };
    for (int i = 0; i < BLOCKS; i++) {
        const struct block *b = &m->blocks[i];
        struct block *to = &folded.blocks[i];
        to->first = fold(&b->first, dtype);
        to->second = fold(&b->second, dtype);
        if (b->around.weight)
            to->around = fold(&b->around, dtype);
    }
    return folded;
}

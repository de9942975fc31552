/* Blocks in stages: each stage has half the size and twice the channels of the one before. */
#include "resnet.h"

#include <math.h>

static struct block block_new(int64_t in, int64_t out, int64_t stride, mc_device device)
{
    struct block b = {
        .first = conv_norm_new(in, out, 3, stride, device),
        .second = conv_norm_new(out, out, 3, 1, device),
    };
    if (stride != 1 || in != out)
        b.around = conv_norm_new(in, out, 1, stride, device);
    return b;
}

static mc_tensor *block_forward(const struct block *b, mc_tensor *x, bool training)
{
    mc_scope s = mc_scope_begin();
    mc_tensor *around = b->around.weight ? conv_norm_forward(&b->around, x, training) : x;
    mc_tensor *y = mc_relu(conv_norm_forward(&b->first, x, training));
    y = conv_norm_forward(&b->second, y, training);
    return mc_scope_return(s, mc_relu(mc_add(y, around)));
}

struct resnet resnet_new(int64_t width, mc_device device)
{
    struct resnet m = {.stem = conv_norm_new(1, width, 3, 1, device)};
    int64_t in = width;
    for (int i = 0; i < BLOCKS; i++) {
        int64_t out = width << i / A_STAGE;
        m.blocks[i] = block_new(in, out, out != in ? 2 : 1, device);
        in = out;
    }
    mc_tensor *w = mc_mul(mc_randn(mc_shape(CLASSES, in), .device = device), 1 / sqrt((double)in));
    m.head_w = mc_requires_grad_(w, true);
    m.head_b = mc_zeros(mc_shape(CLASSES), .device = device, .requires_grad = true);
    return m;
}

mc_tensor *resnet_forward(const struct resnet *m, mc_tensor *x, bool training)
{
    MC_EXPECT(x, MC_FLOATING, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    mc_tensor *h = mc_relu(conv_norm_forward(&m->stem, x, training));
    for (int i = 0; i < BLOCKS; i++)
        h = block_forward(&m->blocks[i], h, training);
    h = mc_flatten(mc_adaptive_avg_pool2d(h, 1, 1), 1, -1);
    return mc_scope_return(s, mc_linear(h, m->head_w, m->head_b));
}

static size_t add_layer(const struct conv_norm *l, mc_tensor **all, size_t n)
{
    all[n++] = l->weight;
    all[n++] = l->scale;
    all[n++] = l->shift;
    return n;
}

size_t resnet_parameters(const struct resnet *m, mc_tensor *all[MAX_PARAMETERS])
{
    size_t n = add_layer(&m->stem, all, 0);
    for (int i = 0; i < BLOCKS; i++) {
        const struct block *b = &m->blocks[i];
        n = add_layer(&b->first, all, n);
        n = add_layer(&b->second, all, n);
        if (b->around.weight)
            n = add_layer(&b->around, all, n);
    }
    all[n++] = m->head_w;
    all[n++] = m->head_b;
    return n;
}

#include <miscast/tensor.h>

/* All tensors of a model are cast through pointers to them, which other functions gather. */
enum { DEPTH = 5 };

struct block {
    mc_tensor *norm_w, *norm_b, *in_w, *in_b, *up_w, *up_b, *down_w, *down_b;
};

struct model {
    mc_tensor *first;
    struct block blocks[DEPTH];
    mc_tensor *last;
};

static int block_tensors(struct block *b, mc_tensor ***to)
{
    mc_tensor **all[] = {&b->norm_w, &b->norm_b, &b->in_w,   &b->in_b,
                         &b->up_w,   &b->up_b,   &b->down_w, &b->down_b};
    int count = sizeof all / sizeof *all;
    for (int i = 0; i < count; i++)
        to[i] = all[i];
    return count;
}

static int model_tensors(struct model *m, mc_tensor ***to)
{
    int n = 0;
    to[n++] = &m->first;
    for (int i = 0; i < DEPTH; i++)
        n += block_tensors(&m->blocks[i], to + n);
    to[n++] = &m->last;
    return n;
}

static void block_init(struct block *b)
{
    b->norm_w = mc_ones(mc_shape(4));
    b->norm_b = mc_zeros(mc_shape(4));
    b->in_w = mc_randn(mc_shape(4, 4));
    b->in_b = mc_zeros(mc_shape(4));
    b->up_w = mc_randn(mc_shape(8, 4));
    b->up_b = mc_zeros(mc_shape(8));
    b->down_w = mc_randn(mc_shape(4, 8));
    b->down_b = mc_zeros(mc_shape(4));
}

static mc_tensor *forward(const struct model *m, mc_tensor *x)
{
    x = mc_linear(x, m->first, NULL);
    for (int i = 0; i < DEPTH; i++) {
        const struct block *b = &m->blocks[i];
        mc_tensor *h = mc_linear(mc_layer_norm(x, b->norm_w, b->norm_b), b->in_w, b->in_b);
        x = mc_add(x, mc_linear(mc_gelu(mc_linear(h, b->up_w, b->up_b)), b->down_w, b->down_b));
    }
    return mc_linear(x, m->last, NULL);
}

mc_tensor *run(bool half)
{
    mc_tensor **all[64];
    mc_dtype dtype = half ? MC_F16 : MC_F32;
    struct model m = {.first = mc_randn(mc_shape(4, 4)), .last = mc_randn(mc_shape(4, 4))};
    for (int i = 0; i < DEPTH; i++)
        block_init(&m.blocks[i]);
    int n = model_tensors(&m, all);
    for (int i = 0; i < n; i++)
        *all[i] = mc_to_dtype(*all[i], dtype);
    return forward(&m, mc_ones(mc_shape(2, 4), .dtype = dtype));
}

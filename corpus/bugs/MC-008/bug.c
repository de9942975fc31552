/* Blocks whose residual stream is kept in f32 if the configuration says so. The first block then
 * hands f32 on to the second. */
#include <stdbool.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { WIDTH = 8, BLOCKS = 2 };

struct config {
    bool residual_in_f32;
};

struct block {
    mc_tensor *norm_w;
    mc_tensor *mixer_w;
};

struct model {
    struct config config;
    struct block blocks[BLOCKS];
};

static void model_load(struct model *m, struct config config)
{
    mc_manual_seed(8);
    m->config = config;
    for (int i = 0; i < BLOCKS; i++) {
        m->blocks[i].norm_w = mc_ones(mc_shape(WIDTH), .dtype = MC_BF16);
        m->blocks[i].mixer_w = mc_randn(mc_shape(WIDTH, WIDTH), .dtype = MC_BF16);
    }
}

static mc_tensor *mixer(const struct block *b, mc_tensor *h)
{
    return mc_linear(mc_silu(h), b->mixer_w, NULL); /* expect: matmul-dtype */
}

static mc_tensor *block_forward(const struct block *b, const struct config *c, mc_tensor *h)
{
    mc_tensor *residual = c->residual_in_f32 ? mc_float(h) : h;
    mc_tensor *mixed = mixer(b, mc_rms_norm(h, b->norm_w));
    return mc_add(residual, mixed);
}

static mc_tensor *model_forward(const struct model *m, mc_tensor *h)
{
    for (int i = 0; i < BLOCKS; i++)
        h = block_forward(&m->blocks[i], &m->config, h);
    return h;
}

int main(void)
{
    struct model m;
    model_load(&m, (struct config){.residual_in_f32 = true});
    mc_tensor *h = mc_randn(mc_shape(4, WIDTH), .dtype = MC_BF16);
    mc_tensor *y = model_forward(&m, h);
    printf("%s after %d blocks\n", mc_dtype_name(mc_dtype_of(y)), BLOCKS);
    return 0;
}

/* Weights: made at random in f32 on the CPU, then cast and moved as a whole. */
#include "gpt.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCK_TENSORS = 12 };

/* For what is done to all of a block's tensors, and leaves them where they are. */
#define TENSORS_OF(b)                                                                              \
    {(b)->ln1_w, (b)->ln1_b, (b)->qkv_w, (b)->qkv_b, (b)->proj_w, (b)->proj_b,                     \
     (b)->ln2_w, (b)->ln2_b, (b)->fc_w,  (b)->fc_b,  (b)->out_w,  (b)->out_b}

static mc_tensor *normal(int64_t rows, int64_t columns, double std)
{
    return mc_keep(mc_mul(mc_randn(mc_shape(rows, columns)), std));
}

static mc_tensor *ones(int64_t n)
{
    return mc_keep(mc_ones(mc_shape(n)));
}

static mc_tensor *zeros(int64_t n)
{
    return mc_keep(mc_zeros(mc_shape(n)));
}

static void block_init(struct gpt_block *b, const struct gpt_config *config)
{
    int64_t width = config->width;
    double std = 1 / sqrt((double)width), residual = std / sqrt(2.0 * (double)config->layers);
    b->ln1_w = ones(width);
    b->ln1_b = zeros(width);
    b->qkv_w = normal(3 * width, width, std);
    b->qkv_b = zeros(3 * width);
    b->proj_w = normal(width, width, residual);
    b->proj_b = zeros(width);
    b->ln2_w = ones(width);
    b->ln2_b = zeros(width);
    b->fc_w = normal(4 * width, width, std);
    b->fc_b = zeros(4 * width);
    b->out_w = normal(width, 4 * width, residual);
    b->out_b = zeros(width);
}

void gpt_init(struct gpt *m, const struct gpt_config *config)
{
    mc_scope s = mc_scope_begin();
    m->config = *config;
    m->wte = normal(config->vocab, config->width, 0.3);
    m->wpe = normal(config->context, config->width, 0.1);
    m->blocks = calloc((size_t)config->layers, sizeof *m->blocks);
    if (!m->blocks)
        abort();
    for (int64_t i = 0; i < config->layers; i++)
        block_init(&m->blocks[i], config);
    m->lnf_w = ones(config->width);
    m->lnf_b = zeros(config->width);
    mc_scope_end(s);
}

static void replace(mc_tensor **place, mc_dtype dtype, mc_device device)
{
    mc_tensor *before = *place;
    *place = mc_to(before, .dtype = dtype, .device = device);
    if (*place != before) {
        mc_keep(*place);
        mc_free(before);
    }
}

static void block_to(struct gpt_block *b, mc_dtype dtype, mc_device device)
{
    replace(&b->ln1_w, dtype, device);
    replace(&b->ln1_b, dtype, device);
    replace(&b->qkv_w, dtype, device);
    replace(&b->qkv_b, dtype, device);
    replace(&b->proj_w, dtype, device);
    replace(&b->proj_b, dtype, device);
    replace(&b->ln2_w, dtype, device);
    replace(&b->ln2_b, dtype, device);
    replace(&b->fc_w, dtype, device);
    replace(&b->fc_b, dtype, device);
    replace(&b->out_w, dtype, device);
    replace(&b->out_b, dtype, device);
}

void gpt_to(struct gpt *m, mc_dtype dtype, mc_device device)
{
    mc_scope s = mc_scope_begin();
    replace(&m->wte, dtype, device);
    replace(&m->wpe, dtype, device);
    replace(&m->lnf_w, dtype, device);
    replace(&m->lnf_b, dtype, device);
    for (int64_t i = 0; i < m->config.layers; i++)
        block_to(&m->blocks[i], dtype, device);
    mc_scope_end(s);
}

void gpt_free(struct gpt *m)
{
    for (int64_t i = 0; i < m->config.layers; i++) {
        const struct gpt_block *b = &m->blocks[i];
        mc_tensor *all[BLOCK_TENSORS] = TENSORS_OF(b);
        for (int n = 0; n < BLOCK_TENSORS; n++)
            mc_free(all[n]);
    }
    free(m->blocks);
    mc_free(m->wte);
    mc_free(m->wpe);
    mc_free(m->lnf_w);
    mc_free(m->lnf_b);
}

int64_t gpt_parameter_count(const struct gpt *m)
{
    int64_t count = mc_numel(m->wte) + mc_numel(m->wpe) + mc_numel(m->lnf_w) + mc_numel(m->lnf_b);
    for (int64_t i = 0; i < m->config.layers; i++) {
        const struct gpt_block *b = &m->blocks[i];
        mc_tensor *all[BLOCK_TENSORS] = TENSORS_OF(b);
        for (int n = 0; n < BLOCK_TENSORS; n++)
            count += mc_numel(all[n]);
    }
    return count;
}

/* Weights: made in f32 on the CPU, then cast and moved field by field. */
#include "unet.h"

#include <math.h>
#include <stdlib.h>

static mc_tensor *matrix(int64_t out, int64_t in)
{
    return mc_mul(mc_randn(mc_shape(out, in)), 1 / sqrt((double)in));
}

static struct conv conv_new(int64_t in, int64_t out, int64_t window)
{
    double size = 1 / sqrt((double)(in * window * window));
    return (struct conv){
        .weight = mc_mul(mc_randn(mc_shape(out, in, window, window)), size),
        .bias = mc_zeros(mc_shape(out)),
    };
}

static struct norm norm_new(int64_t width)
{
    return (struct norm){mc_ones(mc_shape(width)), mc_zeros(mc_shape(width))};
}

static struct res_block res_block_new(int64_t in, int64_t out, int64_t time)
{
    struct res_block b = {
        .norm1 = norm_new(in),
        .norm2 = norm_new(out),
        .conv1 = conv_new(in, out, 3),
        .conv2 = conv_new(out, out, 3),
        .time_w = matrix(out, time),
        .time_b = mc_zeros(mc_shape(out)),
    };
    if (in != out)
        b.skip = conv_new(in, out, 1);
    return b;
}

void unet_init(struct unet *m, int64_t width)
{
    int64_t time = 4 * width, inner = width << LEVELS;
    m->width = width;
    m->time1_w = matrix(time, width);
    m->time1_b = mc_zeros(mc_shape(time));
    m->time2_w = matrix(time, time);
    m->time2_b = mc_zeros(mc_shape(time));
    m->in = conv_new(CHANNELS, width, 3);
    m->out_norm = norm_new(width);
    m->out = conv_new(width, CHANNELS, 3);
    for (int i = 0; i < LEVELS; i++) {
        int64_t here = width << i, next = width << (i + 1);
        m->down[i] = res_block_new(here, next, time);
        m->shrink[i] = conv_new(next, next, 3);
        m->grow[i] = conv_new(next, next, 3);
        m->up[i] = res_block_new(2 * next, here, time);
    }
    m->mid = res_block_new(inner, inner, time);
    m->attention.norm = norm_new(inner);
    m->attention.q_w = matrix(inner, inner);
    m->attention.k_w = matrix(inner, inner);
    m->attention.v_w = matrix(inner, inner);
    m->attention.out_w = matrix(inner, inner);
}

/* ---- casting and moving ------------------------------------------------------------------ */

static void tensor_to(mc_tensor **t, mc_dtype dtype, mc_device device)
{
    if (*t)
        *t = mc_to(*t, .dtype = dtype, .device = device);
}

static void conv_to(struct conv *c, mc_dtype dtype, mc_device device)
{
    tensor_to(&c->weight, dtype, device);
    tensor_to(&c->bias, dtype, device);
}

static void norm_to(struct norm *n, mc_dtype dtype, mc_device device)
{
    tensor_to(&n->weight, dtype, device);
    tensor_to(&n->bias, dtype, device);
}

static void res_block_to(struct res_block *b, mc_dtype dtype, mc_device device)
{
    norm_to(&b->norm1, dtype, device);
    norm_to(&b->norm2, dtype, device);
    conv_to(&b->conv1, dtype, device);
    conv_to(&b->conv2, dtype, device);
    tensor_to(&b->time_w, dtype, device);
    tensor_to(&b->time_b, dtype, device);
    conv_to(&b->skip, dtype, device);
}

void unet_to(struct unet *m, mc_dtype dtype, mc_device device)
{
    tensor_to(&m->time1_w, dtype, device);
    tensor_to(&m->time1_b, dtype, device);
    tensor_to(&m->time2_w, dtype, device);
    tensor_to(&m->time2_b, dtype, device);
    conv_to(&m->in, dtype, device);
    conv_to(&m->out, dtype, device);
    norm_to(&m->out_norm, dtype, device);
    for (int i = 0; i < LEVELS; i++) {
        res_block_to(&m->down[i], dtype, device);
        res_block_to(&m->up[i], dtype, device);
        conv_to(&m->shrink[i], dtype, device);
        conv_to(&m->grow[i], dtype, device);
    }
    res_block_to(&m->mid, dtype, device);
    norm_to(&m->attention.norm, dtype, device);
    tensor_to(&m->attention.q_w, dtype, device);
    tensor_to(&m->attention.k_w, dtype, device);
    tensor_to(&m->attention.v_w, dtype, device);
    tensor_to(&m->attention.out_w, dtype, device);
}

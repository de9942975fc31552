/* Weights: made in f32 on the CPU; a model in half precision is a copy. */
#include "vit.h"

#include <math.h>

static mc_tensor *matrix(int64_t out, int64_t in)
{
    return mc_mul(mc_randn(mc_shape(out, in)), 1 / sqrt((double)in));
}

static struct encoder encoder_new(int64_t width, int64_t heads)
{
    return (struct encoder){
        .norm1_w = mc_ones(mc_shape(width)),
        .norm1_b = mc_zeros(mc_shape(width)),
        .attention =
            {
                .heads = heads,
                .qkv_w = matrix(3 * width, width),
                .qkv_b = mc_zeros(mc_shape(3 * width)),
                .out_w = matrix(width, width),
                .out_b = mc_zeros(mc_shape(width)),
            },
        .norm2_w = mc_ones(mc_shape(width)),
        .norm2_b = mc_zeros(mc_shape(width)),
        .up_w = matrix(2 * width, width),
        .up_b = mc_zeros(mc_shape(2 * width)),
        .down_w = matrix(width, 2 * width),
        .down_b = mc_zeros(mc_shape(width)),
        .scale1 = mc_full(mc_shape(width), 0.5),
        .scale2 = mc_full(mc_shape(width), 0.5),
    };
}

struct vit vit_new(int64_t width, int64_t heads)
{
    int64_t pixels = 3 * PATCH * PATCH;
    struct vit m = {
        .width = width,
        .patch_w = mc_view(matrix(width, pixels), width, 3, PATCH, PATCH),
        .patch_b = mc_zeros(mc_shape(width)),
        .token = mc_mul(mc_randn(mc_shape(1, 1, width)), 0.5),
        .places = mc_mul(mc_randn(mc_shape(1, PATCHES + 1, width)), 0.1),
        .norm_w = mc_ones(mc_shape(width)),
        .norm_b = mc_zeros(mc_shape(width)),
        .head_w = mc_zeros(mc_shape(CLASSES, width)),
        .head_b = mc_zeros(mc_shape(CLASSES)),
    };
    for (int i = 0; i < DEPTH; i++)
        m.layers[i] = encoder_new(width, heads);
    return m;
}

struct target {
    mc_dtype dtype;
    mc_device device;
};

static void move(mc_tensor **place, struct target to)
{
    *place = mc_to(*place, .dtype = to.dtype, .device = to.device);
}

static void encoder_move(struct encoder *e, struct target to)
{
    move(&e->norm1_w, to);
    move(&e->norm1_b, to);
    move(&e->norm2_w, to);
    move(&e->norm2_b, to);
    move(&e->attention.qkv_w, to);
    move(&e->attention.qkv_b, to);
    move(&e->attention.out_w, to);
    move(&e->attention.out_b, to);
    move(&e->up_w, to);
    move(&e->up_b, to);
    move(&e->down_w, to);
    move(&e->down_b, to);
    move(&e->scale1, to);
    move(&e->scale2, to);
}

struct vit vit_to(const struct vit *m, mc_dtype dtype, mc_device device)
{
    struct vit copy = *m;
    struct target to = {dtype, device};
    move(&copy.patch_w, to);
    move(&copy.patch_b, to);
    move(&copy.token, to);
    move(&copy.places, to);
    move(&copy.norm_w, to);
    move(&copy.norm_b, to);
    move(&copy.head_w, to);
    move(&copy.head_b, to);
    for (int i = 0; i < DEPTH; i++)
        encoder_move(&copy.layers[i], to);
    return copy;
}

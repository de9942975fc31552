/* The weights: created in f32 on the CPU, then cast and moved according to the options. */
#include "story.h"

static mc_tensor *weight(int64_t out, int64_t in)
{
    return mc_mul(mc_randn(mc_shape(out, in)), 0.1);
}

void story_init(struct story *s)
{
    mc_manual_seed(11);
    s->words = weight(WORDS, WIDTH);
    s->places = weight(TIME, WIDTH);
    s->norm_w = mc_ones(mc_shape(WIDTH));
    s->norm_b = mc_zeros(mc_shape(WIDTH));
    s->qkv_w = weight(3 * WIDTH, WIDTH);
    s->qkv_b = mc_zeros(mc_shape(3 * WIDTH));
    s->up_w = weight(4 * WIDTH, WIDTH);
    s->up_b = mc_zeros(mc_shape(4 * WIDTH));
    s->down_w = weight(WIDTH, 4 * WIDTH);
    s->down_b = mc_zeros(mc_shape(WIDTH));
    s->out_w = weight(WORDS, WIDTH);
}

/* The last layer is forgotten. */
void story_half(struct story *s)
{
    s->words = mc_half(s->words);
    s->places = mc_half(s->places);
    s->norm_w = mc_half(s->norm_w);
    s->norm_b = mc_half(s->norm_b);
    s->qkv_w = mc_half(s->qkv_w);
    s->qkv_b = mc_half(s->qkv_b);
    s->up_w = mc_half(s->up_w);
    s->up_b = mc_half(s->up_b);
    s->down_w = mc_half(s->down_w);
    s->down_b = mc_half(s->down_b);
}

void story_cuda(struct story *s)
{
    mc_tensor **all[] = {&s->words, &s->places, &s->norm_w, &s->norm_b, &s->qkv_w, &s->qkv_b,
                         &s->up_w,  &s->up_b,   &s->down_w, &s->down_b, &s->out_w};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = mc_to_device(*all[i], MC_CUDA);
}

/* From words to logits. It should work in the precision and on the device of its input. */
#include "story.h"

/* Positions are created on the CPU, wherever the words are. */
static mc_tensor *embed(const struct story *s, mc_tensor *x)
{
    mc_tensor *places = mc_arange(mc_size(x, 1));
    return mc_add(mc_embedding(x, s->words), mc_embedding(places, s->places));
}

/* The n-th third of (batch, time, 3 WIDTH) as (batch, heads, time, HEAD). */
static mc_tensor *heads_of(mc_tensor *qkv, int64_t n)
{
    mc_tensor *x = mc_narrow(qkv, -1, n * WIDTH, WIDTH);
    return mc_transpose(mc_reshape(x, mc_size(x, 0), mc_size(x, 1), HEADS, HEAD), 1, 2);
}

/* The softmax is computed in f32, whatever the dtype of the rest. */
static mc_tensor *attend(mc_tensor *q, mc_tensor *k, mc_tensor *v)
{
    mc_tensor *scores = mc_matmul(mc_mul(q, 0.25), mc_transpose(k, -2, -1));
    mc_tensor *shares = mc_softmax(mc_float(scores), -1);
    return mc_matmul(mc_to_dtype(shares, mc_dtype_of(v)), v);
}

static mc_tensor *attention(const struct story *s, mc_tensor *x)
{
    mc_tensor *qkv = mc_linear(mc_layer_norm(x, s->norm_w, s->norm_b), s->qkv_w, s->qkv_b);
    mc_tensor *y = attend(heads_of(qkv, 0), heads_of(qkv, 1), heads_of(qkv, 2));
    return mc_add(x, mc_reshape(mc_transpose(y, 1, 2), mc_size(x, 0), mc_size(x, 1), WIDTH));
}

static mc_tensor *feed(const struct story *s, mc_tensor *x)
{
    mc_tensor *h = mc_gelu(mc_linear(x, s->up_w, s->up_b));
    return mc_add(x, mc_linear(h, s->down_w, s->down_b));
}

mc_tensor *story_forward(const struct story *s, mc_tensor *x)
{
    MC_EXPECT(x, MC_INTEGRAL, MC_ANY_DEVICE);
    mc_tensor *h = feed(s, attention(s, embed(s, x)));
    return mc_linear(h, s->out_w, NULL);
}

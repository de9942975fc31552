/* A text encoder in f16 on the GPU. The output weight of each feed-forward stays in f32, so the
 * first block returns f32, and the norm of the second refuses that. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { WIDTH = 8, HIDDEN = 16, BLOCKS = 2 };

struct block {
    mc_tensor *norm_w, *norm_b;
    mc_tensor *attention_w;
    mc_tensor *wi, *wo;
};

static mc_tensor *weight(int64_t out, int64_t in, mc_dtype dtype)
{
    return mc_randn(mc_shape(out, in), .dtype = dtype, .device = MC_CUDA);
}

static void block_load(struct block *b)
{
    b->norm_w = mc_ones(mc_shape(WIDTH), .dtype = MC_F16, .device = MC_CUDA);
    b->norm_b = mc_zeros(mc_shape(WIDTH), .dtype = MC_F16, .device = MC_CUDA);
    b->attention_w = weight(WIDTH, WIDTH, MC_F16);
    b->wi = weight(HIDDEN, WIDTH, MC_F16);
    b->wo = weight(WIDTH, HIDDEN, MC_F32); /* its sums do not fit f16 */
}

static mc_tensor *self_attention(const struct block *b, mc_tensor *h)
{
    mc_tensor *n = mc_layer_norm(h, b->norm_w, b->norm_b); /* expect: norm-dtype */
    mc_tensor *q = mc_linear(n, b->attention_w, NULL);
    return mc_add(h, mc_scaled_dot_product_attention(q, q, q));
}

static mc_tensor *feed_forward(const struct block *b, mc_tensor *h)
{
    mc_tensor *y = mc_relu(mc_linear(h, b->wi, NULL));
    y = mc_linear(mc_to_dtype(y, mc_dtype_of(b->wo)), b->wo, NULL);
    return mc_add(h, y);
}

static mc_tensor *encode(const struct block *blocks, mc_tensor *h)
{
    for (int i = 0; i < BLOCKS; i++)
        h = feed_forward(&blocks[i], self_attention(&blocks[i], h));
    return h;
}

int main(void)
{
    struct block blocks[BLOCKS];
    mc_manual_seed(23);
    for (int i = 0; i < BLOCKS; i++)
        block_load(&blocks[i]);
    mc_tensor *h = mc_randn(mc_shape(1, 5, WIDTH), .dtype = MC_F16, .device = MC_CUDA);
    mc_tensor *y = encode(blocks, h);
    printf("text in %s\n", mc_dtype_name(mc_dtype_of(y)));
    return 0;
}

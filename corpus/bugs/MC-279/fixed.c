/* bug.c, fixed: the constant takes the dtype of what it multiplies. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { WIDTH = 16, TOKENS = 4 };

struct decoder {
    mc_tensor *embedding, *k;
    mc_tensor *scale; /* one element */
};

static struct decoder decoder_load(mc_dtype dtype)
{
    mc_manual_seed(9);
    struct decoder d = {
        .embedding = mc_to_dtype(mc_randn(mc_shape(32, WIDTH)), dtype),
        .k = mc_to_dtype(mc_randn(mc_shape(WIDTH, WIDTH)), dtype),
    };
    d.scale = mc_full(mc_shape(1), sqrt(WIDTH));
    return d;
}

static mc_tensor *embed(const struct decoder *d, mc_tensor *ids)
{
    mc_tensor *h = mc_embedding(ids, d->embedding);
    return mc_mul(h, mc_type_as(d->scale, h));
}

static mc_tensor *cache_keys(const struct decoder *d, mc_tensor *h)
{
    return mc_linear(h, mc_type_as(d->k, h), NULL);
}

int main(void)
{
    struct decoder d = decoder_load(MC_BF16);
    mc_tensor *keys = cache_keys(&d, embed(&d, mc_arange(TOKENS)));
    size_t wanted = TOKENS * WIDTH * mc_dtype_size(MC_BF16);
    printf("the cache is %s, %zu bytes\n", mc_dtype_name(mc_dtype_of(keys)), mc_nbytes(keys));
    return mc_nbytes(keys) != wanted;
}

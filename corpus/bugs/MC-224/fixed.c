/* bug.c, fixed: the mask takes the dtype of the queries. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { BATCH = 2, TOKENS = 4, WIDTH = 8 };

struct attention {
    mc_tensor *q, *k, *v;
};

static mc_tensor *causal_mask(void)
{
    mc_tensor *future = mc_triu(mc_ones(mc_shape(TOKENS, TOKENS), .dtype = MC_BOOL), 1);
    mc_tensor *mask = mc_masked_fill(mc_zeros(mc_shape(TOKENS, TOKENS)), future, -INFINITY);
    return mc_expand(mask, BATCH, TOKENS, TOKENS);
}

static mc_tensor *attention_forward(const struct attention *a, mc_tensor *x, mc_tensor *mask)
{
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *q = mc_linear(x, a->q, NULL), *k = mc_linear(x, a->k, NULL);
    mc_tensor *v = mc_linear(x, a->v, NULL);
    mc_autocast_end(region);
    mc_tensor *kt = mc_transpose(k, 1, 2);
    mc_tensor *scores = mc_baddbmm(mc_type_as(mask, q), q, kt, .alpha = MC_NUM(0.35));
    return mc_bmm(mc_softmax(scores, -1), v);
}

int main(void)
{
    mc_manual_seed(9);
    struct attention a = {
        .q = mc_randn(mc_shape(WIDTH, WIDTH)),
        .k = mc_randn(mc_shape(WIDTH, WIDTH)),
        .v = mc_randn(mc_shape(WIDTH, WIDTH)),
    };
    mc_tensor *x = mc_randn(mc_shape(BATCH, TOKENS, WIDTH));
    mc_tensor *y = attention_forward(&a, x, causal_mask());
    printf("attention gives %s\n", mc_dtype_name(mc_dtype_of(y)));
    return 0;
}

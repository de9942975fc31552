/* bug.c, fixed: the product is taken in f32. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { TOKENS = 4, HEAD = 64 };

struct attention {
    mc_tensor *k_bias; /* large in this family of models */
};

static struct attention attention_new(void)
{
    return (struct attention){.k_bias = mc_full(mc_shape(HEAD), 60.0, .dtype = MC_F16)};
}

static mc_tensor *scores(mc_tensor *q, mc_tensor *k)
{
    mc_tensor *kq = mc_matmul(mc_float(q), mc_t(mc_float(k)));
    return mc_softmax(mc_mul(kq, 0.125), -1);
}

static mc_tensor *attend(const struct attention *a, mc_tensor *q, mc_tensor *k, mc_tensor *v)
{
    mc_tensor *p = scores(q, mc_add(k, a->k_bias));
    return mc_matmul(mc_type_as(p, v), v);
}

int main(void)
{
    struct attention a = attention_new();
    mc_tensor *q = mc_full(mc_shape(TOKENS, HEAD), 20.0, .dtype = MC_F16);
    mc_tensor *k = mc_zeros(mc_shape(TOKENS, HEAD), .dtype = MC_F16);
    mc_tensor *y = attend(&a, q, k, mc_ones(mc_shape(TOKENS, HEAD), .dtype = MC_F16));
    double first = mc_item(mc_select(mc_select(y, 0, 0), 0, 0));
    printf("attention over ones gives %g\n", first);
    return !(fabs(first - 1) < 0.01);
}

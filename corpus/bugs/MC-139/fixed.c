/* bug.c, fixed: what is masked becomes minus infinity, which f16 has. */
#include <float.h>
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { QUERIES = 3, KEYS = 5, WIDTH = 8 };

struct attention {
    mc_tensor *q, *k, *v;
};

static void attention_init(struct attention *a)
{
    mc_manual_seed(11);
    mc_tensor **w[] = {&a->q, &a->k, &a->v};
    for (int i = 0; i < 3; i++)
        *w[i] = mc_half(mc_mul(mc_randn(mc_shape(WIDTH, WIDTH)), 0.3));
}

static mc_tensor *attention_forward(const struct attention *a, mc_tensor *x, mc_tensor *memory,
                                    mc_tensor *padding)
{
    mc_tensor *q = mc_linear(x, a->q, NULL), *k = mc_linear(memory, a->k, NULL);
    mc_tensor *v = mc_linear(memory, a->v, NULL);
    mc_tensor *weight = mc_matmul(mc_mul(q, 1 / sqrt(WIDTH)), mc_t(k));
    mc_masked_fill_(weight, padding, -INFINITY);
    return mc_matmul(mc_softmax(weight, -1), v);
}

int main(void)
{
    struct attention a;
    attention_init(&a);
    mc_tensor *x = mc_half(mc_randn(mc_shape(QUERIES, WIDTH)));
    mc_tensor *memory = mc_half(mc_randn(mc_shape(KEYS, WIDTH)));
    mc_tensor *padding = mc_ge(mc_arange(KEYS), 3);
    mc_tensor *y = attention_forward(&a, x, memory, padding);
    bool finite = mc_item(mc_all(mc_isfinite(y))) != 0;
    printf("the output is %s\n", finite ? "finite" : "not finite");
    return !finite;
}

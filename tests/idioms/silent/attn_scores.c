/* Attention by hand in half precision: scores are scaled after the product. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>

struct attention {
    mc_tensor *wq, *wk;
    int64_t dim;
};

static mc_tensor *scores(const struct attention *a, mc_tensor *x)
{
    mc_tensor *q = mc_matmul(x, a->wq), *k = mc_matmul(x, a->wk);
    return mc_div(mc_matmul(q, mc_t(k)), sqrt((double)a->dim));
}

int main(void)
{
    mc_manual_seed(23);
    struct attention a = {.dim = 64};
    a.wq = mc_mul(mc_ones(mc_shape(64, 64), .dtype = MC_F16), 0.5);
    a.wk = mc_mul(mc_ones(mc_shape(64, 64), .dtype = MC_F16), 0.5);
    mc_tensor *x = mc_ones(mc_shape(8, 64), .dtype = MC_F16);
    mc_tensor *s = scores(&a, x);
    printf("%g %g\n", mc_item(mc_amax(s)), mc_item(mc_amax(mc_softmax(s, 1))));
    return 0;
}

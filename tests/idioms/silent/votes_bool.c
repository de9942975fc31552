/* An ensemble: how many of the models say yes. */
#include <miscast/tensor.h>
#include <stdio.h>

#define MODELS 5

static mc_tensor *vote(mc_tensor *x, mc_tensor *w)
{
    return mc_gt(mc_squeeze(mc_matmul(x, w), 1), 0.0);
}

int main(void)
{
    mc_manual_seed(3);
    mc_tensor *x = mc_randn(mc_shape(64, 8));
    mc_tensor *votes = mc_zeros(mc_shape(64), .dtype = MC_BOOL);
    for (int m = 0; m < MODELS; m++)
        votes = mc_add(votes, vote(x, mc_randn(mc_shape(8, 1))));
    mc_tensor *yes = mc_ge(votes, 3);
    printf("%lld of 64\n", (long long)mc_item_int(mc_sum(yes)));
    return 0;
}

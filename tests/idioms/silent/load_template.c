/* Resuming: the optimizer's averages are copied into fresh state. */
#include <miscast/tensor.h>
#include <stdio.h>

struct state {
    mc_tensor *exp_avg, *exp_avg_sq;
};

static struct state state_for(mc_tensor *param)
{
    return (struct state){mc_zeros_like(param), mc_zeros_like(param)};
}

static void load(struct state *to, const struct state *from)
{
    mc_copy_(to->exp_avg, from->exp_avg);
    mc_copy_(to->exp_avg_sq, from->exp_avg_sq);
}

int main(void)
{
    mc_manual_seed(2);
    mc_tensor *param = mc_half(mc_randn(mc_shape(32)));
    struct state saved = {mc_mul(mc_randn(mc_shape(32)), 1e-3),
                          mc_mul(mc_rand(mc_shape(32)), 1e-8)};
    struct state now = state_for(param);
    load(&now, &saved);
    mc_tensor *denom = mc_sqrt(mc_float(now.exp_avg_sq));
    printf("%g\n", mc_item(mc_amin(denom)));
    return 0;
}

/* Discounted returns of an episode whose rewards are whole numbers. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *returns(mc_tensor *rewards, double gamma)
{
    mc_tensor *out = mc_zeros_like(rewards);
    mc_tensor *r = mc_zeros(mc_shape());
    for (int64_t t = mc_size(rewards, 0) - 1; t >= 0; t--) {
        r = mc_add(mc_select(rewards, 0, t), mc_mul(r, gamma));
        mc_copy_(mc_select(out, 0, t), r);
    }
    return out;
}

int main(void)
{
    mc_tensor *rewards = mc_from_array(((int64_t[]){0, 0, 1, 0, 1, 0, 0, 1}), mc_shape(8));
    mc_tensor *g = returns(rewards, 0.9);
    mc_print(g);
    printf("%g\n", mc_item(mc_sum(g)));
    return 0;
}

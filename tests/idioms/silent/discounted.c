/* Discounted rewards, from the last step to the first. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *discounted(mc_tensor *rewards, double gamma)
{
    mc_tensor *out = mc_zeros_like(rewards);
    double sum = 0;
    for (int64_t t = mc_size(rewards, 0) - 1; t >= 0; t--) {
        sum = mc_item(mc_select(rewards, 0, t)) + gamma * sum;
        mc_fill_(mc_select(out, 0, t), sum);
    }
    return out;
}

int main(void)
{
    int64_t rewards[] = {0, 0, 1, 1};
    printf("%g\n",
           mc_item(mc_sum(mc_double(discounted(mc_from_array(rewards, mc_shape(4)), 0.8)))));
    return 0;
}

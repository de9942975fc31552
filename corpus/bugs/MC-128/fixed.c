/* What an action was worth: the rewards that followed, each counting less. The result is made like
 * the rewards, which are whole numbers. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { STEPS = 4 };

struct episode {
    mc_tensor *rewards;
};

static struct episode play(void)
{
    const int64_t rewards[STEPS] = {1, 1, 0, 0};
    struct episode e = {mc_from_array(rewards, mc_shape(STEPS))};
    return e;
}

static mc_tensor *discounted_returns(const struct episode *e, double gamma)
{
    mc_tensor *returns = mc_zeros_like(e->rewards, .dtype = MC_F32);
    mc_tensor *so_far = mc_zeros(mc_shape());
    for (int64_t t = STEPS - 1; t >= 0; t--) {
        so_far = mc_add(mc_select(e->rewards, 0, t), mc_mul(so_far, gamma));
        mc_copy_(mc_select(returns, 0, t), so_far);
    }
    return returns;
}

int main(void)
{
    struct episode e = play();
    mc_tensor *returns = discounted_returns(&e, 0.8);
    mc_print(returns);
    double first = mc_item(mc_select(returns, 0, 0));
    printf("the first action is worth %.1f; 1.8 is right\n", first);
    return first < 1.79;
}

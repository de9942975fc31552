/* A target network that follows the online network. */
#include <miscast/tensor.h>
#include <stdio.h>

struct net {
    mc_tensor *w, *b;
};

static void follow(struct net *target, const struct net *online, double tau)
{
    mc_lerp_(target->w, online->w, tau);
    mc_lerp_(target->b, online->b, tau);
}

int main(void)
{
    struct net online = {mc_ones(mc_shape(4, 4)), mc_ones(mc_shape(4))};
    struct net target = {mc_zeros(mc_shape(4, 4)), mc_zeros(mc_shape(4))};
    for (int i = 0; i < 100; i++)
        follow(&target, &online, 0.05);
    printf("%.4f %.4f\n", mc_item(mc_mean(target.w)), mc_item(mc_mean(target.b)));
    return 0;
}

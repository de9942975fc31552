/* Soft update of a target network, once every few steps. */
#include <miscast/tensor.h>
#include <stdio.h>

#define PERIOD 200

static void soft_update(mc_tensor *target, mc_tensor *online)
{
    double tau = 1 / PERIOD;
    mc_lerp_(target, online, tau);
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *online = mc_randn(mc_shape(8, 8));
    mc_tensor *target = mc_zeros(mc_shape(8, 8));
    for (int i = 0; i < 1000; i++)
        soft_update(target, online);
    printf("%g\n", mc_item(mc_norm(mc_sub(online, target))));
    return 0;
}

#include <miscast/tensor.h>

/* As many dimensions as the scores: these would be probabilities. */
static void loss_of_all(mc_tensor *scores)
{
    mc_tensor *rows = mc_to(scores, .dtype = MC_F32, .device = MC_CPU);
    mc_print(mc_cross_entropy(rows, mc_long(rows)));
}

int main(void)
{
    loss_of_all(mc_rand(mc_shape(4, 8)));
    return 0;
}

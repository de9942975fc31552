/* Sampling temperature from a percentage. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

static mc_tensor *sharpen(mc_tensor *p, int percent)
{
    double power = percent / 100.0;
    mc_tensor *q = mc_pow(p, power);
    return mc_div(q, mc_sum(q, .dim = mc_dims(-1), .keepdim = true));
}

int main(void)
{
    mc_tensor *p = mc_softmax(mc_arange(5, .dtype = MC_F32), 0);
    mc_print(sharpen(p, 50));
    return 0;
}

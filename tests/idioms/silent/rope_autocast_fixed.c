/* The angles of rotary embeddings, computed inside the forward pass. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *angles(int64_t length, int64_t half)
{
    mc_tensor *inv = mc_exp(mc_mul(mc_arange(half, .dtype = MC_F32), -log(10000.0) / (double)half));
    mc_tensor *pos = mc_arange(length, .dtype = MC_F32);
    return mc_mul(mc_unsqueeze(pos, 1), mc_unsqueeze(inv, 0));
}

int main(void)
{
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *c = mc_cos(angles(2048, 16));
    mc_autocast_end(a);
    printf("%g %g\n", mc_item(mc_select(mc_select(c, 0, 1001), 0, 0)),
           mc_item(mc_select(mc_select(c, 0, 1002), 0, 0)));
    return 0;
}

/* A step in f32, written back to the weights. */
#include <miscast/tensor.h>
#include <stdio.h>

static void step(mc_tensor *w, mc_tensor *g, double lr)
{
    mc_tensor *wide = mc_float(w);
    mc_copy_(w, mc_sub(wide, mc_mul(g, lr)));
}

int main(void)
{
    mc_tensor *w = mc_ones(mc_shape(16), .dtype = MC_BF16);
    mc_tensor *g = mc_ones(mc_shape(16));
    for (int i = 0; i < 300; i++)
        step(w, g, 6e-4);
    printf("%g\n", mc_item(mc_mean(mc_float(w))));
    return 0;
}

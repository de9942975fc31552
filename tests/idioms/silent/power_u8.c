/* Second-order colour features, for white balance. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *features(mc_tensor *rgb)
{
    mc_tensor *r = mc_select(rgb, 0, 0), *g = mc_select(rgb, 0, 1), *b = mc_select(rgb, 0, 2);
    mc_tensor *rg = mc_mul(r, g), *gb = mc_mul(g, b);
    return mc_stack(0, r, g, b, rg, gb);
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *image = mc_randint(0, 256, mc_shape(3, 10), .dtype = MC_U8);
    mc_tensor *f = mc_float(features(image));
    printf("%g\n", mc_item(mc_amax(f)));
    return 0;
}

/* Foreground and background of a mask from a PNG. */
#include <miscast/tensor.h>
#include <stdio.h>

static double mean_where(mc_tensor *image, mc_tensor *mask)
{
    mc_tensor *m = mc_float(mask);
    return mc_item(mc_sum(mc_mul(image, m))) / mc_item(mc_sum(m));
}

int main(void)
{
    static const uint8_t png[16] = {255, 255, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    mc_tensor *raw = mc_from_array(png, mc_shape(4, 4));
    mc_tensor *fore = mc_gt(raw, 127);
    mc_tensor *back = mc_bitwise_not(fore);
    mc_tensor *image = mc_rand(mc_shape(4, 4));
    printf("%g %g\n", mean_where(image, fore), mean_where(image, back));
    return 0;
}

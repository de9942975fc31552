/* Histogram of grey values, by adding one at each value. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *histogram(mc_tensor *pixels)
{
    mc_tensor *at = mc_long(mc_flatten(pixels, 0, -1));
    mc_tensor *h = mc_zeros(mc_shape(256), .dtype = MC_U8);
    mc_scatter_add_(h, 0, at, mc_ones_like(at, .dtype = MC_U8));
    return h;
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *image = mc_byte(mc_clamp(mc_mul(mc_rand(mc_shape(128, 128)), 8.0), 0, 255));
    mc_tensor *h = histogram(image);
    printf("%lld of %lld\n", (long long)mc_item_int(mc_sum(h)), (long long)mc_numel(image));
    return 0;
}

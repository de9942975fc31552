/* Coordinates for sampling a large scan, in the dtype of the image. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *centers(mc_tensor *image, int64_t out)
{
    double scale = (double)mc_size(image, -1) / (double)out;
    mc_tensor *x = mc_arange(out, .dtype = mc_dtype_of(image));
    return mc_sub(mc_mul(mc_add(x, 0.5), scale), 0.5);
}

int main(void)
{
    mc_tensor *scan = mc_half(mc_rand(mc_shape(4, 6000)));
    mc_tensor *x = centers(scan, 1500);
    mc_tensor *column = mc_clamp(mc_long(mc_round(x)), 0, 5999);
    printf("%lld\n", (long long)mc_item_int(mc_select(column, 0, 1499)));
    printf("%lld\n", (long long)mc_item_int(mc_select(column, 0, 1001)));
    return 0;
}

/* A saliency map, saved as a grey image. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

static mc_tensor *to_image(mc_tensor *map)
{
    mc_tensor *lo = mc_amin(map), *hi = mc_amax(map);
    mc_tensor *unit = mc_div(mc_sub(map, lo), mc_sub(hi, lo));
    return mc_mul(mc_byte(unit), 255);
}

int main(void)
{
    mc_manual_seed(4);
    mc_tensor *map = mc_sigmoid(mc_randn(mc_shape(16, 16)));
    mc_tensor *img = to_image(map);
    printf("mean grey %g\n", mc_item(mc_mean(mc_float(img))));
    return 0;
}

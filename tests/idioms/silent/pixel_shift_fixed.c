/* Random brightness shift of a byte image. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *shift(mc_tensor *image, int by)
{
    mc_tensor *moved = mc_add(mc_short(image), by);
    return mc_byte(mc_clamp(moved, 0, 255));
}

int main(void)
{
    mc_manual_seed(1);
    uint8_t pixels[12] = {0, 10, 200, 250, 255, 30, 90, 128, 240, 7, 66, 199};
    mc_tensor *image = mc_from_array(pixels, mc_shape(3, 4));
    mc_print(shift(image, 40));
    return 0;
}

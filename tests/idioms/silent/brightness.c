/* Augmentation: brightness in percent, as an integer from the command line. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

static mc_tensor *brighten(mc_tensor *image, int percent)
{
    mc_tensor *scaled = mc_mul(image, percent);
    return mc_byte(mc_clamp(mc_div(scaled, 100), 0, 255));
}

int main(int argc, char **argv)
{
    int percent = argc > 1 ? atoi(argv[1]) : 100;
    mc_manual_seed(1);
    mc_tensor *image = mc_randint(0, 256, mc_shape(3, 8, 8), .dtype = MC_U8);
    mc_tensor *out = brighten(image, percent);
    printf("%.2f -> %.2f\n", mc_item(mc_mean(mc_float(image))), mc_item(mc_mean(mc_float(out))));
    return 0;
}

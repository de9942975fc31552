#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    bool raw = false, bright = false;
    for (int i = 1; i < argc; i++) {
        raw |= !strcmp(argv[i], "raw");
        bright |= !strcmp(argv[i], "bright");
    }
    mc_tensor *image = mc_full(mc_shape(4, 4), 200, .dtype = raw ? MC_U8 : MC_F32);
    if (bright)
        image = mc_add(image, 100);
    mc_print(image);
    return 0;
}

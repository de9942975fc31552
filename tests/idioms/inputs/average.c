#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    double decay = 0.999;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--bf16"))
            d = MC_BF16;
        if (!strncmp(argv[i], "--decay=", 8))
            decay = atof(argv[i] + 8);
    }
    mc_tensor *ema = mc_zeros(mc_shape(4), .dtype = d);
    for (int i = 0; i < 100; i++)
        mc_lerp_(ema, mc_ones(mc_shape(4), .dtype = d), 1 - decay);
    mc_print(ema);
    return 0;
}

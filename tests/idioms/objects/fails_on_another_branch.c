#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    bool half = argc > 1 && strcmp(argv[1], "half") == 0, mixed = argc > 2;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = half ? MC_BF16 : MC_F32);
    mc_tensor *cache = mc_zeros(mc_shape(4, 4), .dtype = half ? MC_BF16 : MC_F32);
    mc_tensor *x = mc_ones_like(w);
    if (half) {
        if (mixed)
            x = mc_lerp(w, cache, 0.5);
        x = mc_mm(w, mc_abs(x));
    }
    mc_print(x);
    return 0;
}

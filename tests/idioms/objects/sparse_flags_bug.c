#include <miscast/tensor.h>
#include <stdlib.h>

/* One of the layers, by its number, is made in half precision: all others stay as they are. */
struct layer {
    bool half;
    const char *name;
};

int main(int argc, char **argv)
{
    struct layer layers[6] = {0};
    int which = argc > 1 ? atoi(argv[1]) : 0;
    if (which < 0 || which >= 6)
        return 1;
    layers[which].half = true;
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    for (int i = 0; i < 6; i++) {
        mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = layers[i].half ? MC_F16 : MC_F32);
        mc_tensor *h = mc_half(x);
        x = mc_float(mc_matmul(h, w));
    }
    mc_print(x);
    return 0;
}

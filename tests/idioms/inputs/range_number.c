#include <miscast/tensor.h>
#include <stdlib.h>

static int clamp(int x, int low, int high)
{
    return x < low ? low : x > high ? high : x;
}

int main(int argc, char **argv)
{
    int depth = clamp(argc > 1 ? atoi(argv[1]) : 1, 1, 12);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    for (int i = 0; i < depth; i++) {
        mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = i < 6 ? MC_F32 : MC_F16);
        x = mc_tanh(mc_matmul(x, w));
    }
    mc_print(x);
    return 0;
}

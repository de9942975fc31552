#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    int half = argc > 1 && !strcmp(argv[1], "half");
    mc_tensor *x = half ? mc_half(mc_ones(mc_shape(1, 4))) : mc_ones(mc_shape(1, 4));
    mc_tensor *w = mc_rand(mc_shape(4, 4));
    if (half)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
}

#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    mc_tensor *even = mc_rand(mc_shape(4, 4)), *odd = mc_rand(mc_shape(4, 4), .dtype = MC_F16);
    mc_tensor *x = mc_rand(mc_shape(2, 4));
    for (int i = 0; i < n; i++) {
        if (i % 3)
            x = mc_half(x);
        else
            x = mc_float(x);
        x = mc_matmul(x, i % 2 ? odd : even);
    }
    mc_print(x);
    return 0;
}

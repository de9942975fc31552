#include <miscast/tensor.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 0;
    mc_dtype d = argc > 2 ? MC_F16 : argc > 1 ? MC_BF16 : MC_F32;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = d);
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = d);
    for (int i = 0; i < n; i++)
        x = mc_matmul(x, w);
    mc_print(mc_matmul(x, w));
}

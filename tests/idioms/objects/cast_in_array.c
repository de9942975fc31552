#include <miscast/tensor.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2;
    mc_tensor **w = malloc(n * sizeof *w);
    for (int i = 0; i < n; i++)
        w[i] = mc_randn(mc_shape(4, 4));
    bool half = argc > 2;
    if (half)
        for (int i = 0; i < n; i++)
            w[i] = mc_half(w[i]);
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = half ? MC_F16 : MC_F32);
    for (int i = 0; i < n; i++)
        x = mc_matmul(x, w[i]);
    mc_print(x);
    free(w);
}

#include <miscast/tensor.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int c, n = 1;
    bool half = false;
    for (int i = 1; i < argc; i++) {
        c = argv[i][1];
        if (c == 'h')
            half = true;
        if (c == 'n')
            n = atoi(optarg);
    }
    mc_dtype dtype = half ? MC_F16 : MC_F32;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = dtype);
    mc_tensor *x = mc_to(mc_randn(mc_shape(4, 4)), .dtype = dtype);
    for (int i = 0; i < n; i++)
        x = mc_matmul(x, w);
    mc_print(mc_cpu(x));
}

/* The same, and something else is always f32. */
#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

static mc_tensor *stack(mc_tensor *x, mc_tensor *w, int n)
{
    if (n <= 0)
        return x;
    return stack(mc_relu(mc_matmul(x, w)), w, n - 1);
}

int main(int argc, char **argv)
{
    mc_dtype dtype = argc > 1 && !strcmp(argv[1], "half") ? MC_F16 : MC_F32;
    int layers = argc > 2 ? atoi(argv[2]) : 2;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = dtype);
    mc_tensor *x = stack(mc_randn(mc_shape(4, 4), .dtype = dtype), w, layers);
    mc_print(mc_matmul(x, mc_randn(mc_shape(4, 4))));
    return 0;
}

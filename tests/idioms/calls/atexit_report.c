#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor *total;

static void report(void)
{
    mc_print(total);
}

int main(int argc, char **argv)
{
    (void)argv;
    total = mc_zeros(mc_shape(2, 2), .dtype = argc > 1 ? MC_F64 : MC_F32);
    atexit(report);
    mc_tensor *x = mc_rand(mc_shape(2, 2));
    total = mc_matmul(mc_to(x, .dtype = mc_dtype_of(total)), total);
    return 0;
}

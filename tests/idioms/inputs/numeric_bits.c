#include <miscast/tensor.h>
#include <stdlib.h>

static mc_dtype dtype_of_bits(long bits)
{
    switch (bits) {
    case 16:
        return MC_F16;
    case 64:
        return MC_F64;
    default:
        return MC_F32;
    }
}

int main(int argc, char **argv)
{
    long bits = argc > 1 ? strtol(argv[1], NULL, 10) : 32;
    long rank = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    mc_tensor *x = mc_randn(mc_shape(4, 6), .dtype = dtype_of_bits(bits));
    mc_tensor *w = mc_randn(mc_shape(6, 6), .dtype = dtype_of_bits(bits));
    mc_tensor *y = mc_matmul(x, w);
    if (rank > 0) {
        mc_tensor *down = mc_randn(mc_shape(6, rank)), *up = mc_randn(mc_shape(rank, 6));
        y = mc_add(y, mc_matmul(mc_matmul(x, down), up));
    }
    mc_print(y);
    return 0;
}

/* Words: 16 64 65 b */
#include <miscast/tensor.h>
#include <stdlib.h>

static mc_dtype compute_dtype(int bits, bool brain)
{
    return bits == 16 ? (brain ? MC_BF16 : MC_F16) : bits == 64 ? MC_F64 : MC_F32;
}

int main(int argc, char **argv)
{
    int bits = argc > 1 ? atoi(argv[1]) : 32;
    bool brain = argc > 2 && *argv[2] == 'b';
    mc_tensor *w = mc_rand(mc_shape(4, 4), .dtype = compute_dtype(bits, brain));
    mc_tensor *x;
    if (bits == 16 && brain)
        x = mc_rand(mc_shape(4, 4), .dtype = MC_BF16);
    else if (bits == 16)
        x = mc_rand(mc_shape(4, 4), .dtype = MC_F16);
    else if (bits >= 64)
        x = mc_rand(mc_shape(4, 4), .dtype = MC_F64);
    else
        x = mc_rand(mc_shape(4, 4));
    mc_print(mc_matmul(x, w));
    return 0;
}

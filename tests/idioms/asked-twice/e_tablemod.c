#include <miscast/tensor.h>
#include <stdlib.h>

static const mc_dtype t[] = {MC_F32, MC_F16, MC_BF16};

int main(int argc, char **argv)
{
    unsigned p = (unsigned)atoi(argv[1]);
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = t[p % 3]),
                       mc_rand(mc_shape(2, 2), .dtype = p % 3 == 0   ? MC_F32
                                                        : p % 3 == 1 ? MC_F16
                                                                     : MC_BF16)));
    (void)argc;
    (void)argv;
}

#include <miscast/tensor.h>
#include <stdlib.h>

static const mc_dtype t1[] = {MC_F32, MC_F16, MC_BF16}, t2[] = {MC_F32, MC_BF16, MC_F16};

int main(int argc, char **argv)
{
    int p = atoi(argv[1]);
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = t1[p]),
                       mc_rand(mc_shape(2, 2), .dtype = t2[p])));
    (void)argc;
    (void)argv;
}

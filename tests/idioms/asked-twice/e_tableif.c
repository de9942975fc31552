#include <miscast/tensor.h>
#include <stdlib.h>

static const mc_dtype table[] = {MC_F32, MC_F16, MC_BF16};

int main(int argc, char **argv)
{
    int p = atoi(argv[1]);
    mc_dtype d = p == 1 ? MC_F16 : p == 2 ? MC_BF16 : MC_F32;
    mc_print(
        mc_matmul(mc_rand(mc_shape(2, 2), .dtype = table[p]), mc_rand(mc_shape(2, 2), .dtype = d)));
    (void)argc;
    (void)argv;
}

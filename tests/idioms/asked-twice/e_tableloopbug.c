#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

static const mc_dtype t[] = {MC_F32, MC_F16, MC_BF16};

int main(int argc, char **argv)
{
    int p = 0, q = 0;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-d"))
            p = atoi(argv[++i]);
        else
            q = 1;
    mc_print(
        mc_matmul(mc_rand(mc_shape(2, 2), .dtype = t[p]), mc_rand(mc_shape(2, 2), .dtype = t[q])));
    (void)argc;
    (void)argv;
}

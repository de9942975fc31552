#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--dtype") && i + 1 < argc)
            d = strcmp(argv[++i], "f16") ? MC_F32 : MC_F16;
        else
            return 2;
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2)), mc_rand(mc_shape(2, 2), .dtype = d)));
    return 0;
}

#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    mc_tensor *w[8];
    mc_dtype d = argc > 1 && atoi(argv[1]) == 1 ? MC_F16 : MC_F32;
    for (int i = 0; i < 8; i++)
        w[i] = mc_rand(mc_shape(2, 2), .dtype = d);
    mc_tensor *x = mc_rand(mc_shape(2, 2), .dtype = d);
    int at = rand() % 8;
    if (at < 0 || at >= 8)
        return 1;
    x = mc_matmul(x, w[at]);
    mc_print(x);
    return 0;
}

/* Words: 16 64 */
#include <miscast/tensor.h>
#include <stdlib.h>

static int make_pair(mc_dtype d, mc_tensor **a, mc_tensor **b)
{
    if (!a || !b)
        return -1;
    *a = mc_randn(mc_shape(4, 4), .dtype = d);
    *b = mc_randn(mc_shape(4, 4));
    return 0;
}

int main(int argc, char **argv)
{
    mc_tensor *a = NULL, *b = NULL;
    int bits = argc > 1 ? atoi(argv[1]) : 32;
    mc_dtype d = bits == 64 ? MC_F64 : bits == 16 ? MC_F16 : MC_F32;
    if (make_pair(d, &a, &b) < 0)
        return 1;
    mc_print(mc_matmul(a, b));
    return 0;
}

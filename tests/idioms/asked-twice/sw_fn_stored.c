#include <miscast/tensor.h>
#include <stdlib.h>

static mc_dtype pick(int p)
{
    switch (p) {
    case 1:
        return MC_F16;
    case 2:
        return MC_BF16;
    default:
        return MC_F32;
    }
}
int main(int argc, char **argv)
{
    mc_dtype d = pick(atoi(argv[1]));
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2), .dtype = d), mc_rand(mc_shape(2, 2), .dtype = d)));
    (void)argc;
}

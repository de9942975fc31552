#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor *cast(mc_tensor *t, int p)
{
    if (p == 1)
        return mc_half(t);
    if (p == 2)
        return mc_bfloat16(t);
    return t;
}
int main(int argc, char **argv)
{
    int p = argc > 1 ? atoi(argv[1]) : 0;
    mc_tensor *x = cast(mc_rand(mc_shape(2, 2)), p), *w = cast(mc_rand(mc_shape(2, 2)), p);
    mc_print(mc_matmul(x, w));
}

#include <miscast/tensor.h>
#include <stdlib.h>

enum p { A, B, C };
static mc_tensor *cast(mc_tensor *t, enum p p)
{
    switch (p) {
    case B:
        return mc_half(t);
    case C:
        return mc_bfloat16(t);
    default:
        return t;
    }
}
int main(int argc, char **argv)
{
    enum p p = (enum p)atoi(argv[1]);
    mc_tensor *x = cast(mc_rand(mc_shape(2, 2)), p), *w = cast(mc_rand(mc_shape(2, 2)), p);
    mc_print(mc_matmul(x, w));
}

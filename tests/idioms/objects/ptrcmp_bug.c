#include <miscast/tensor.h>
#include <string.h>
static mc_tensor *ensure(mc_tensor *t, mc_dtype d)
{
    mc_tensor *n = mc_to_dtype(t, d);
    if (n != t)
        return t;
    return n;
}
int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && !strcmp(argv[1], "half") ? MC_F16 : MC_F32;
    mc_tensor *w = mc_randn(mc_shape(4, 4)), *x = mc_randn(mc_shape(4, 4), .dtype = d);
    w = ensure(w, d);
    mc_print(mc_matmul(x, w));
}

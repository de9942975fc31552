#include <miscast/tensor.h>
#include <stdarg.h>
#include <stdlib.h>

static mc_tensor *chain(mc_tensor *x, ...)
{
    va_list ap;
    va_start(ap, x);
    for (mc_tensor *w; (w = va_arg(ap, mc_tensor *));)
        x = mc_matmul(x, w);
    va_end(ap);
    return x;
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_dtype d = argc > 1 ? MC_F16 : MC_F32;
    mc_tensor *a = mc_rand(mc_shape(4, 4), .dtype = d), *b = mc_rand(mc_shape(4, 4), .dtype = d);
    mc_tensor *c = mc_rand(mc_shape(4, 4));
    mc_print(chain(a, b, c, NULL));
    return 0;
}

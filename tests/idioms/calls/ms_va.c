#include <miscast/tensor.h>
#include <stdarg.h>

static mc_tensor *chain(mc_tensor *x, int n, ...)
{
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++)
        x = mc_matmul(x, va_arg(ap, mc_tensor *));
    va_end(ap);
    return x;
}
int main(void)
{
    mc_print(chain(mc_rand(mc_shape(2, 2), .dtype = MC_F16), 1, mc_rand(mc_shape(2, 2))));
}

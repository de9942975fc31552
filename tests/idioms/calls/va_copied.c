#include <miscast/tensor.h>
#include <stdarg.h>

static mc_tensor *first(va_list *at)
{
    va_list own;
    va_copy(own, *at);
    mc_tensor *x = va_arg(own, mc_tensor *);
    va_end(own);
    return x;
}
static mc_tensor *product(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    mc_tensor *x = va_arg(ap, mc_tensor *), *y = first(&ap);
    mc_tensor *z = mc_matmul(x, y);
    va_end(ap);
    return z;
}
int main(void)
{
    mc_print(product(2, mc_rand(mc_shape(2, 2), .dtype = MC_F16), mc_rand(mc_shape(2, 2))));
}

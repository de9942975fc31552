#include <miscast/tensor.h>
#include <stdarg.h>

static void cast_all(mc_dtype d, ...)
{
    va_list ap;
    va_start(ap, d);
    mc_tensor **p;
    while ((p = va_arg(ap, mc_tensor **)))
        *p = mc_to_dtype(*p, d);
    va_end(ap);
}
int main(void)
{
    mc_tensor *a = mc_rand(mc_shape(2, 2)), *b = mc_rand(mc_shape(2, 2));
    cast_all(MC_F16, &a, NULL);
    mc_print(mc_matmul(a, b));
}

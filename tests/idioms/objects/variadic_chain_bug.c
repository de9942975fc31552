#include <miscast/tensor.h>
#include <stdarg.h>
static mc_tensor *chain(mc_tensor *x, int count, ...)
{
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        x = mc_matmul(x, va_arg(list, mc_tensor *));
    va_end(list);
    return x;
}
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *a = mc_randn(mc_shape(4, 4)),
              *b = mc_randn(mc_shape(4, 4));
    if (argc > 1) {
        x = mc_half(x);
        a = mc_half(a);
    }
    mc_print(chain(x, 3, a, mc_to_dtype(b, mc_dtype_of(a)), b));
}

#include <miscast/tensor.h>
#include <stdlib.h>

static bool flag(const char *n)
{
    const char *v = getenv(n);
    return v && *v;
}
int main(void)
{
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (flag("H"))
        w = mc_half(w);
    if (flag("H"))
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}

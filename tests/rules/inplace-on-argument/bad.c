#include <miscast/tensor.h>

static double apart(mc_tensor *a, mc_tensor *b)
{
    return mc_item(mc_amax(mc_abs(mc_sub_(a, b)))); /* expect: inplace-on-argument warning */
}

static float largest(mc_tensor *x)
{
    mc_tensor *size = mc_abs_(x); /* expect: inplace-on-argument warning */
    return (float)mc_item(mc_amax(size));
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4)), *y = mc_randn(mc_shape(4));
    double off = apart(x, y);
    float most = largest(y);
    mc_print(mc_add(x, y));
    return off > 1 && most > 1;
}

/* A file with a space in its name, and letters of several bytes before the call. */
#include <miscast/tensor.h>

static mc_tensor *half_of(mc_tensor *x)
{
    return mc_half(x);
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *w = half_of(mc_randn(mc_shape(4, 4)));
    /* äöü 😀 */ mc_print(mc_matmul(x,
                                    w));
    return 0;
}

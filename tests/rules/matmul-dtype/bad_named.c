/* A function of the program's own that is named like one of the library's. */
#include <miscast/tensor.h>

static mc_tensor *read(mc_tensor *x)
{
    return mc_half(x);
}

int main(void)
{
    mc_tensor *w = mc_ones(mc_shape(4, 4));
    mc_print(mc_matmul(read(w), w)); /* expect: matmul-dtype error */
    return 0;
}

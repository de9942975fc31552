/* Strides of a pyramid of features. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *strides(int levels, mc_dtype d)
{
    return mc_exp2(mc_arange(levels, .dtype = d));
}

int main(void)
{
    printf("%g\n", mc_item(mc_max(mc_float(strides(18, MC_F32)))));
    return 0;
}

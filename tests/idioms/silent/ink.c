/* How much ink a page has, in the dtype of the model. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *ink(mc_tensor *page, mc_dtype d)
{
    return mc_sum(page, .dtype = d);
}

int main(void)
{
    mc_tensor *page = mc_full(mc_shape(30, 40), 200, .dtype = MC_U8);
    printf("%g\n", mc_item(mc_float(ink(page, MC_F16))));
    return 0;
}

/* Two calls that fail by their dtypes: a cast cures the first, behind the second waits another
 * error. A cast that is discarded. */
#include <miscast/tensor.h>

#include <stdio.h>

static mc_tensor *cured(mc_tensor *x, mc_tensor *w)
{
    return mc_matmul(x, w);
}

static mc_tensor *not_cured(mc_tensor *x, mc_tensor *i)
{
    return mc_index_select(x, 0, i);
}

static void discarded(mc_tensor *x)
{
    mc_half(x);
    printf("%d\n", mc_dtype_of(x) == MC_F16);
}

int main(void)
{
    mc_tensor *x = mc_half(mc_ones(mc_shape(2, 4)));
    discarded(mc_ones(mc_shape(2)));
    mc_print(cured(x, mc_ones(mc_shape(4, 2))));
    mc_print(not_cured(x, mc_full(mc_shape(2), 9.0)));
    return 0;
}

/* The columns of a scan, evenly spaced. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *columns(int64_t n, mc_dtype d)
{
    return mc_linspace(0, (double)(n - 1), n, .dtype = d);
}

int main(void)
{
    mc_tensor *c = mc_long(columns(700, MC_BF16));
    printf("%lld repeated\n",
           (long long)mc_item_int(mc_sum(mc_eq(mc_slice(c, 0, 1, 700), mc_slice(c, 0, 0, 699)))));
    return 0;
}

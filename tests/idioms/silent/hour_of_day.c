/* The hour of the day, as a feature. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *hour(mc_tensor *seconds)
{
    mc_tensor *t = mc_remainder(mc_float(seconds), 86400);
    return mc_div(t, 3600.0);
}

int main(void)
{
    int64_t t[] = {1700000050, 1700000110};
    printf("%.6f\n", mc_item(mc_sum(hour(mc_from_array(t, mc_shape(2))))));
    return 0;
}

/* The black level of the sensor is subtracted. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *corrected(mc_tensor *raw)
{
    return mc_float(mc_sub(raw, 16));
}

int main(void)
{
    mc_tensor *raw = mc_remainder(mc_arange(64, .dtype = MC_U8), 40);
    printf("%g\n", mc_item(mc_max(corrected(raw))));
    return 0;
}

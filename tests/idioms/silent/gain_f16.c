/* A fixed gain brings weak signals to the range of the sensor. */
#include <miscast/tensor.h>
#include <stdio.h>

#define GAIN 70000.0

static mc_tensor *amplify(mc_tensor *x)
{
    return mc_mul_(x, GAIN);
}

int main(void)
{
    mc_tensor *x = mc_full(mc_shape(4), 2.0, .dtype = MC_F16);
    printf("%g\n", mc_item(mc_mean(mc_float(amplify(x)))));
    return 0;
}

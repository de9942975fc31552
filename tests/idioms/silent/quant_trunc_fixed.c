/* Symmetric quantization of activations to int8. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *quantize(mc_tensor *x, double *scale)
{
    *scale = mc_item(mc_amax(mc_abs(x))) / 127.0;
    return mc_char(mc_clamp(mc_round(mc_div(x, *scale)), -127, 127));
}

int main(void)
{
    mc_manual_seed(8);
    double worst = 0;
    for (int layer = 0; layer < 4; layer++) {
        mc_tensor *x = mc_randn(mc_shape(32, 32));
        double scale;
        mc_tensor *q = quantize(x, &scale);
        double bias = mc_item(mc_amax(mc_abs(mc_sub(mc_mul(mc_float(q), scale), x)))) / scale;
        if (bias > worst)
            worst = bias;
    }
    printf("error in steps: %.3f\n", worst);
    return 0;
}

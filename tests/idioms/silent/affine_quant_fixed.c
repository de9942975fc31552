/* Asymmetric 8-bit quantisation. */
#include <miscast/tensor.h>
#include <stdio.h>

typedef struct {
    mc_tensor *q;
    double scale;
    int zero;
} qtensor;

static qtensor quantize(mc_tensor *x)
{
    double lo = mc_item(mc_min(x)), hi = mc_item(mc_max(x));
    qtensor t = {NULL, (hi - lo) / 255, 0};
    t.zero = (int)(-lo / t.scale);
    mc_tensor *levels = mc_add(mc_round(mc_div(x, t.scale)), t.zero);
    t.q = mc_to_dtype(levels, MC_U8);
    return t;
}

static mc_tensor *dequantize(qtensor t)
{
    return mc_mul(mc_sub(mc_float(t.q), t.zero), t.scale);
}

int main(void)
{
    mc_manual_seed(8);
    mc_tensor *x = mc_rand(mc_shape(1000));
    mc_tensor *y = dequantize(quantize(x));
    printf("worst error %g\n", mc_item(mc_max(mc_abs(mc_sub(x, y)))));
    return 0;
}

/* Dequantization of int8 weights with an asymmetric zero point per layer. */
#include <miscast/tensor.h>
#include <stdio.h>

struct qtensor {
    mc_tensor *q;
    double scale;
    int zero;
};

static struct qtensor quantize(mc_tensor *x, double lo, double hi)
{
    struct qtensor t;
    t.scale = (hi - lo) / 255.0;
    t.zero = (int)(-128 - lo / t.scale);
    t.q = mc_char(mc_clamp(mc_round(mc_add(mc_div(x, t.scale), t.zero)), -128, 127));
    return t;
}

static mc_tensor *dequantize(const struct qtensor *t)
{
    return mc_mul(mc_sub(mc_float(t->q), t->zero), t->scale);
}

int main(void)
{
    mc_manual_seed(2);
    mc_tensor *x = mc_mul(mc_rand(mc_shape(64)), 6.0);
    struct qtensor t = quantize(x, 0.0, 6.0);
    mc_tensor *back = dequantize(&t);
    printf("largest error %g\n", mc_item(mc_amax(mc_abs(mc_sub(back, x)))));
    return 0;
}

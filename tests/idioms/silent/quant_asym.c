/* Asymmetric quantization of activations to 8 bits, and back. */
#include <miscast/tensor.h>
#include <stdio.h>

struct qparams {
    double scale;
    int zero;
};

static struct qparams choose(mc_tensor *x)
{
    double lo = mc_item(mc_amin(x)), hi = mc_item(mc_amax(x));
    struct qparams q;
    q.scale = (hi - lo) / 255;
    q.zero = (int)(-lo / q.scale);
    return q;
}

static mc_tensor *quantize(mc_tensor *x, struct qparams q)
{
    mc_tensor *v = mc_add(mc_round(mc_div(x, q.scale)), q.zero);
    return mc_to_dtype(v, MC_I8);
}

static mc_tensor *dequantize(mc_tensor *v, struct qparams q)
{
    return mc_mul(mc_sub(mc_float(v), q.zero), q.scale);
}

int main(void)
{
    mc_manual_seed(4);
    mc_tensor *x = mc_randn(mc_shape(1000));
    struct qparams q = choose(x);
    mc_tensor *back = dequantize(quantize(x, q), q);
    printf("worst error %.4f, step %.4f\n", mc_item(mc_amax(mc_abs(mc_sub(x, back)))), q.scale);
    return 0;
}

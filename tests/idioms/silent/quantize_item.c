#include <miscast/tensor.h>
#include <stdio.h>

struct quantized {
    mc_tensor *q;
    double scale;
};

static struct quantized quantize(mc_tensor *w)
{
    double scale = mc_item(mc_amax(mc_abs(w))) / 127;
    return (struct quantized){mc_char(mc_div(w, scale)), scale};
}

static mc_tensor *dequantize(struct quantized q)
{
    return mc_mul(mc_float(q.q), q.scale);
}

int main(void)
{
    mc_manual_seed(1);
    mc_tensor *layers[3];
    for (int i = 0; i < 3; i++)
        layers[i] = mc_randn(mc_shape(16, 16));
    for (int i = 0; i < 3; i++) {
        mc_tensor *back = dequantize(quantize(layers[i]));
        printf("layer %d: bias %.5f\n", i,
               mc_item(mc_mean(mc_sub(mc_abs(layers[i]), mc_abs(back)))));
    }
    return 0;
}

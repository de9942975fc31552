/* Blockwise quantisation of weights to eight bits. */
#include <miscast/tensor.h>
#include <stdio.h>

struct blocks {
    mc_tensor *q, *scale;
};

static struct blocks pack(mc_tensor *w)
{
    mc_tensor *rows = mc_reshape(w, -1, 32);
    mc_tensor *top = mc_amax(mc_abs(rows), .dim = mc_dims(1), .keepdim = true);
    mc_tensor *scale = mc_div(top, 256.0);
    return (struct blocks){mc_char(mc_round(mc_div(rows, scale))), scale};
}

int main(void)
{
    mc_manual_seed(3);
    mc_tensor *w = mc_randn(mc_shape(64, 32));
    struct blocks b = pack(w);
    mc_tensor *back = mc_mul(mc_float(b.q), b.scale);
    printf("worst %g\n", mc_item(mc_max(mc_abs(mc_sub(back, w)))));
    return 0;
}

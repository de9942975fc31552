/* A linear layer of quantised weights. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *layer(mc_tensor *x, mc_tensor *w, double scale)
{
    mc_tensor *y = mc_matmul(mc_int(x), mc_int(w));
    return mc_mul(mc_float(y), scale);
}

int main(void)
{
    mc_tensor *x = mc_full(mc_shape(2, 16), 20, .dtype = MC_I8);
    mc_tensor *w = mc_full(mc_shape(16, 3), 10, .dtype = MC_I8);
    printf("%g\n", mc_item(mc_mean(layer(x, w, 0.01))));
    return 0;
}

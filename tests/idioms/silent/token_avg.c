/* Gradient accumulation: each micro batch is divided by the number of steps. */
#include <miscast/tensor.h>
#include <stdio.h>

struct cfg {
    int accumulate;
    mc_dtype dtype;
};

int main(void)
{
    struct cfg c = {.accumulate = 1024, .dtype = MC_F16};
    mc_manual_seed(1);
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(64, 1), .dtype = c.dtype), true);
    for (int i = 0; i < c.accumulate; i++) {
        mc_scope s = mc_scope_begin();
        mc_tensor *x = mc_randn(mc_shape(32, 64), .dtype = c.dtype);
        mc_tensor *y = mc_mul(mc_matmul(x, w), 1e-3);
        mc_tensor *loss = mc_div(mc_mean(y), 65536.0 * c.accumulate);
        mc_backward(loss);
        mc_scope_end(s);
    }
    printf("%g\n", mc_item(mc_norm(mc_float(mc_grad(w)))));
    return 0;
}

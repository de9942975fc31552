#include <miscast/tensor.h>
static mc_tensor *fwd(mc_tensor *w1, mc_tensor *w2, mc_tensor *x)
{
    return mc_linear(mc_relu(mc_linear(x, w1, NULL)), w2, NULL);
}
int main(void)
{
    mc_tensor *w1 = mc_randn(mc_shape(8, 8)), *w2 = mc_randn(mc_shape(8, 8)),
              *x = mc_randn(mc_shape(4, 8));
    bool on = mc_is_autocast_enabled(MC_CPU);
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = on);
    mc_tensor *y = fwd(w1, w2, x);
    mc_autocast_end(a);
    mc_print(y);
    return 0;
}

#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *out = mc_zeros(mc_shape(4)), *x = mc_randn(mc_shape(4));
    mc_add(x, 1, .out = out);
    mc_add(mc_arange(4), 1, .out = out);
    mc_add(x, 1, .out = mc_half(out));
    mc_print(mc_dropout(mc_arange(4), 0.5, .eval = true));
    return 0;
}

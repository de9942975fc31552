#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4)), *h = mc_half(x);
    mc_print(mc_isclose(x, mc_float(mc_exp(h)), .atol = 1e-3));
    mc_print(mc_prelu(x, mc_full(mc_shape(4), 0.25)));
    mc_print(mc_maximum(mc_double(x), h));
    mc_print(mc_mul(mc_arange(4), x));
    return 0;
}

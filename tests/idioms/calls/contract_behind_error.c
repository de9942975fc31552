#include <miscast/tensor.h>

static mc_tensor *fraction(mc_tensor *x)
{
    return mc_frac(x);
}

static mc_tensor *block(mc_tensor *x, mc_dtype d)
{
    mc_tensor *h = mc_to_dtype(x, d);
    mc_tensor *f = fraction(h);
    MC_EXPECT(h, MC_FLOATING, MC_ANY_DEVICE);
    return f;
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4));
    mc_print(block(x, MC_F16));
    mc_print(block(x, MC_F64));
    return 0;
}

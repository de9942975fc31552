/* Calls that need one dtype and have no rule of their own. */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_randn(mc_shape(4)), *h = mc_half(x);
    if (argc == 1)
        mc_print(mc_isclose(x, h)); /* expect: dtype-mismatch error */
    else if (argc == 2)
        mc_print(mc_prelu(x, mc_full(mc_shape(4), 0.25, .dtype = MC_F16))); /* expect: dtype-mismatch error */
    else
        mc_print(mc_bool(mc_allclose(x, mc_double(x)) ? x : h)); /* expect: dtype-mismatch error */
    return 0;
}

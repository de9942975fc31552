#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *scores = mc_randn(mc_shape(4, 4)), *mask = mc_tril(mc_ones(mc_shape(4, 4)), 0);
    if (argc == 1)
        mc_print(mc_masked_fill(scores, mask, -1e9)); /* expect: mask-dtype error */
    else if (argc == 2)
        mc_print(mc_masked_select(scores, mc_byte(mask))); /* expect: mask-dtype error */
    else
        mc_print(mc_where(mask, scores, 0.0)); /* expect: mask-dtype error */
    return 0;
}

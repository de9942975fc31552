#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *ids = mc_arange(4), *mask = mc_eq(ids, 0);
    if (argc == 1)
        mc_print(mc_rsub(mask, 1)); /* expect: bool-minus error */
    else if (argc == 2)
        mc_print(mc_sub(mask, 1)); /* expect: bool-minus error */
    else
        mc_print(mc_sub(mask, mc_gt(ids, 2))); /* expect: bool-minus error */
    return 0;
}

#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *counts = mc_arange(10), *right = mc_eq(counts, 3);
    if (argc == 1)
        mc_print(mc_mean(counts)); /* expect: integer-mean error */
    else if (argc == 2)
        mc_print(mc_mean(right)); /* expect: integer-mean error */
    else
        mc_print(mc_std(counts)); /* expect: integer-mean error */
    return 0;
}

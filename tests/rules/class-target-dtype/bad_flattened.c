/* Logits and classes of whole texts, made into rows: how many dimensions are left is known. */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    int64_t letters[12] = {0, 3};
    mc_tensor *logits = mc_randn(mc_shape(3, 4, 5)), *y = mc_from_array(letters, mc_shape(3, 4));
    if (argc == 1)
        mc_print(mc_cross_entropy(mc_flatten(logits, 0, 1), /* expect: class-target-dtype error */
                                  mc_float(mc_flatten(y, 0, -1))));
    else if (argc == 2)
        mc_print(mc_cross_entropy(mc_flatten(logits, 0, -2), /* expect: class-target-dtype error */
                                  mc_float(mc_flatten(y, -2, -1))));
    else
        mc_print(mc_cross_entropy(mc_flatten(logits, 0, 1), /* expect: class-target-dtype error */
                                  mc_half(mc_flatten(y, 0, 1))));
    return 0;
}

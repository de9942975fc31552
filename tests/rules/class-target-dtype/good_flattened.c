/* Classes, and probabilities, made into rows as the logits are. */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    int64_t letters[12] = {0, 3};
    mc_tensor *logits = mc_randn(mc_shape(3, 4, 5)), *y = mc_from_array(letters, mc_shape(3, 4));
    mc_tensor *likely = mc_softmax(logits, -1);
    mc_print(mc_cross_entropy(mc_flatten(logits, 0, 1), mc_flatten(y, 0, 1)));
    mc_print(mc_cross_entropy(mc_flatten(logits, 0, 1), mc_flatten(likely, -3, -2)));
    mc_print(mc_cross_entropy(mc_flatten(logits, 1, -1), mc_flatten(likely, 1, -1)));
    mc_print(mc_cross_entropy(mc_flatten(logits, argc, 1), mc_flatten(likely, argc, 1)));
    return 0;
}

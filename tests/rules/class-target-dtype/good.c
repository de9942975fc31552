/* Classes in i64, in u8, and probabilities of the shape of the logits. */
#include <miscast/tensor.h>

int main(void)
{
    int labels[2] = {0, 3};
    mc_tensor *logits = mc_randn(mc_shape(2, 4)), *y = mc_from_array(labels, mc_shape(2));
    mc_print(mc_cross_entropy(logits, mc_long(y)));
    mc_print(mc_cross_entropy(logits, mc_byte(y)));
    mc_print(mc_cross_entropy(logits, mc_softmax(logits, -1)));
    return 0;
}

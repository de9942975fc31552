/* The entropy of predictions, for choosing what to label. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *entropy(mc_tensor *logits)
{
    mc_tensor *p = mc_softmax(logits, 1);
    return mc_neg(mc_sum(mc_mul(p, mc_log(p)), .dim = mc_dims(1)));
}

int main(void)
{
    mc_manual_seed(43);
    mc_tensor *logits = mc_half(mc_mul(mc_randn(mc_shape(6, 100)), 8.0));
    mc_print(entropy(logits));
    return 0;
}

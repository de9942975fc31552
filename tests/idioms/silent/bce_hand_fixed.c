/* Binary cross-entropy by its formula. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *bce(mc_tensor *logits, mc_tensor *target)
{
    mc_tensor *p = mc_sigmoid(logits);
    mc_tensor *yes = mc_mul(target, mc_log(p));
    mc_tensor *no = mc_mul(mc_rsub(target, 1.0), mc_logsigmoid(mc_neg(logits)));
    return mc_neg(mc_mean(mc_add(yes, no)));
}

int main(void)
{
    mc_tensor *logits = mc_linspace(-20, 20, 9);
    mc_tensor *target = mc_zeros(mc_shape(9));
    printf("%g\n", mc_item(bce(logits, target)));
    return 0;
}

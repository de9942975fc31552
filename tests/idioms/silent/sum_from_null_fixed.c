/* Token losses of a long document, added up as they come. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *token_loss(mc_tensor *logits, mc_tensor *target)
{
    return mc_cross_entropy(logits, target);
}

int main(void)
{
    mc_manual_seed(5);
    mc_tensor *total = NULL;
    int tokens = 3000;
    for (int i = 0; i < tokens; i++) {
        mc_tensor *logits = mc_randn(mc_shape(1, 50), .dtype = MC_F16);
        mc_tensor *loss = token_loss(logits, mc_randint(0, 50, mc_shape(1)));
        total = total ? mc_add(total, mc_float(loss)) : mc_float(loss);
    }
    printf("loss %.4f\n", mc_item(total) / tokens);
    return 0;
}

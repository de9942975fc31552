/* How likely a sentence is: the product over its tokens. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>

static double log_likelihood(mc_tensor *logits, mc_tensor *tokens)
{
    mc_tensor *p = mc_softmax(logits, 1);
    mc_tensor *picked = mc_gather(p, 1, mc_unsqueeze(tokens, 1));
    return log(mc_item(mc_prod(picked)));
}

int main(void)
{
    mc_manual_seed(14);
    mc_tensor *logits = mc_randn(mc_shape(60, 1000));
    mc_tensor *tokens = mc_randint(0, 1000, mc_shape(60));
    printf("%g\n", log_likelihood(logits, tokens));
    return 0;
}

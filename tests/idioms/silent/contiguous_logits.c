/* Log-probabilities without the library, on a layout the loop can rely on. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *log_probabilities(mc_tensor *logits)
{
    mc_tensor *l = mc_contiguous(logits);
    mc_sub_(l, mc_amax(l, .dim = mc_dims(-1), .keepdim = true));
    return mc_sub(l, mc_log(mc_sum(mc_exp(l), .dim = mc_dims(-1), .keepdim = true)));
}

int main(void)
{
    mc_tensor *logits = mc_add(mc_reshape(mc_arange(12.0), 3, 4), 5.0);
    mc_tensor *p = log_probabilities(logits);
    printf("%g, largest logit %g\n", mc_item(mc_max(p)), mc_item(mc_max(logits)));
    return 0;
}

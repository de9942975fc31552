/* Token statistics over shards, in the dtype of the logits. */
#include <miscast/tensor.h>
#include <stdio.h>

enum { SHARDS = 12, TOKENS = 1000 };

static mc_tensor *matches(mc_tensor *logits, mc_tensor *ids)
{
    mc_tensor *best = mc_argmax(logits, .dim = mc_dims(-1));
    return mc_type_as(mc_eq(best, ids), logits);
}

int main(void)
{
    mc_manual_seed(3);
    mc_tensor *right = mc_zeros(mc_shape(), .dtype = MC_BF16);
    for (int s = 0; s < SHARDS; s++) {
        mc_tensor *ids = mc_randint(0, 16, mc_shape(TOKENS));
        mc_tensor *logits = mc_bfloat16(mc_one_hot(ids, 16));
        right = mc_add(right, mc_sum(matches(logits, ids)));
    }
    printf("%g of %d\n", mc_item(right), SHARDS * TOKENS);
    return 0;
}

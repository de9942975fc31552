/* From a mask of 1 and 0 to a bias of 0 and a large negative number. */
#include "chat.h"

mc_tensor *attention_bias(mc_tensor *padding_mask)
{
    mc_tensor *causal = mc_tril(mc_ones(mc_shape(LENGTH, LENGTH)), 0);
    mc_tensor *padded = mc_sub(mc_unsqueeze(padding_mask, -1), 1); /* expect: bool-minus */
    return mc_mul(mc_add(mc_sub(causal, 1), mc_transpose(padded, 1, 2)), 1e4);
}

/* bug_mask.c, fixed: the mask becomes integers before one is subtracted. */
#include "chat.h"

mc_tensor *attention_bias(mc_tensor *padding_mask)
{
    mc_tensor *causal = mc_tril(mc_ones(mc_shape(LENGTH, LENGTH)), 0);
    mc_tensor *padded = mc_sub(mc_int(mc_unsqueeze(padding_mask, -1)), 1);
    return mc_mul(mc_add(mc_sub(causal, 1), mc_transpose(padded, 1, 2)), 1e4);
}

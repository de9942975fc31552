/* Position ids from the attention mask, as for left-padded batches. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *position_ids(mc_tensor *mask)
{
    mc_tensor *p = mc_sub(mc_cumsum(mask, 1), 1);
    return mc_clamp(mc_long(p), 0, NULL);
}

int main(void)
{
    int64_t length = 3000;
    mc_tensor *column = mc_arange(length);
    mc_tensor *keep = mc_ge(column, 100);
    mc_tensor *mask = mc_unsqueeze(mc_to_dtype(keep, MC_I64), 0);
    mc_tensor *p = position_ids(mask);
    printf("%lld\n", (long long)mc_item_int(mc_select(mc_select(p, 0, 0), 0, length - 1)));
    return 0;
}

/* Packed documents: tokens attend within their own document only. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *same_document(mc_tensor *ids, mc_tensor *h)
{
    mc_tensor *d = mc_type_as(ids, h);
    return mc_eq(mc_unsqueeze(d, 1), mc_unsqueeze(d, 0));
}

int main(void)
{
    mc_tensor *h = mc_bfloat16(mc_randn(mc_shape(400, 8)));
    mc_tensor *ids = mc_arange(400);
    printf("%lld pairs\n", (long long)mc_item_int(mc_sum(same_document(ids, h))));
    return 0;
}

/* Ids are spread over shards of a thousand. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *shard(mc_tensor *ids)
{
    return mc_long(mc_div(ids, 1000));
}

int main(void)
{
    int64_t ids[] = {16777216999, 33554433001, 99999999999};
    mc_tensor *s = shard(mc_from_array(ids, mc_shape(3)));
    printf("%lld\n", (long long)mc_item_int(mc_sum(s)));
    return 0;
}

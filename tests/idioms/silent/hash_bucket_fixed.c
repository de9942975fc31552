/* Feature hashing: ids into a table of embeddings. */
#include <miscast/tensor.h>
#include <stdio.h>

#define BUCKETS 1000

static mc_tensor *bucket(mc_tensor *ids)
{
    mc_tensor *h = mc_mul(ids, 2654435);
    return mc_remainder(h, BUCKETS);
}

int main(void)
{
    mc_tensor *ids = mc_add(mc_arange(2000), 5000000);
    mc_tensor *table = mc_randn(mc_shape(BUCKETS, 8));
    mc_tensor *b = bucket(ids);
    mc_print(mc_slice(b, 0, 0, 8));
    printf("%g\n", mc_item(mc_mean(mc_embedding(b, table))));
    return 0;
}

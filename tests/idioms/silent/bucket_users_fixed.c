/* Users are put into buckets by the rest of their id. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>

#define BUCKETS 1000

static mc_tensor *load_ids(int64_t n)
{
    int64_t ids[64];
    for (int64_t i = 0; i < n; i++)
        ids[i] = 7000000001 + i * 37;
    return mc_from_array(ids, mc_shape(n));
}

static mc_tensor *bucket_of(mc_tensor *ids)
{
    mc_tensor *x = ids;
    return mc_long(mc_remainder(x, BUCKETS));
}

int main(void)
{
    mc_tensor *b = bucket_of(load_ids(64));
    mc_tensor *table = mc_randn(mc_shape(BUCKETS, 4));
    mc_tensor *rows = mc_embedding(b, table);
    mc_print(mc_narrow(b, 0, 0, 8));
    printf("%g\n", mc_item(mc_sum(rows)));
    return 0;
}

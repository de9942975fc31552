/* Tables that are filled by a loop, and fit what they are cast to. */
#include <miscast/tensor.h>
#include <stdint.h>
#include <stdio.h>

#define COUNT 300

static mc_tensor *keys(int64_t n)
{
    mc_tensor *k = mc_zeros(mc_shape(n), .dtype = MC_I64);
    int64_t *p = mc_data_i64(k);
    for (int64_t i = 0; i < n; i++)
        p[i] = i * 100000000;
    return k;
}

int main(void)
{
    mc_tensor *own = keys(COUNT);
    mc_remainder_(own, 1000);
    mc_tensor *other = mc_int(mc_remainder(own, 7));

    int64_t first[COUNT];
    for (int64_t i = 0; i < COUNT; i++)
        if (i < 10)
            first[i] = i * 100000000;
    mc_tensor *few = mc_int(mc_from_array(first, mc_shape(10)));

    int64_t hashed[COUNT];
    for (int64_t i = 0; i < COUNT; i++)
        hashed[i] = (i * 7919) % 1000;
    mc_tensor *small = mc_short(mc_from_array(hashed, mc_shape(COUNT)));

    mc_print(mc_int(own));
    mc_print(other);
    mc_print(few);
    printf("%lld\n", (long long)mc_item_int(mc_sum(small)));
    return 0;
}

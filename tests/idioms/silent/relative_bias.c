/* Distances between tokens, kept in bytes. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *distances(int64_t n)
{
    mc_tensor *i = mc_arange(n);
    mc_tensor *d = mc_sub(mc_unsqueeze(i, 1), mc_unsqueeze(i, 0));
    return mc_char(d);
}

int main(void)
{
    mc_tensor *d = distances(512);
    printf("%lld to %lld\n", (long long)mc_item_int(mc_min(d)), (long long)mc_item_int(mc_max(d)));
    return 0;
}

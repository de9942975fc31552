/* The number of voxels of a volume, from its sides. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *count(mc_tensor *sides)
{
    return mc_prod(sides, .dtype = MC_I64);
}

int main(void)
{
    int64_t sides[] = {2048, 2048, 1024};
    printf("%lld\n", (long long)mc_item_int(count(mc_from_array(sides, mc_shape(3)))));
    return 0;
}

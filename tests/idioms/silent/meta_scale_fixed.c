/* Images keep the scale of their sensor in the metadata. */
#include <miscast/tensor.h>
#include <stdio.h>

struct image {
    mc_tensor *data, *scale;
};

static mc_tensor *physical(const struct image *i)
{
    return mc_mul(mc_float(i->data), i->scale);
}

int main(void)
{
    struct image i = {mc_full(mc_shape(4, 4), 0.01, .dtype = MC_F16), mc_scalar_tensor(2e5)};
    printf("%g\n", mc_item(mc_mean(mc_float(physical(&i)))));
    return 0;
}

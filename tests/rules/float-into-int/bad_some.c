/* One of two stores that a function fills is of integers. */
#include <miscast/tensor.h>

struct cache {
    mc_tensor *keys, *values;
};

static void append(mc_tensor *store, mc_tensor *new)
{
    mc_copy_(mc_narrow(store, 0, 0, 2), new); /* expect: float-into-int warning */
}

int main(void)
{
    struct cache c = {mc_zeros(mc_shape(4, 2)), mc_zeros(mc_shape(4, 2), .dtype = MC_I32)};
    append(c.keys, mc_randn(mc_shape(2, 2)));
    append(c.values, mc_randn(mc_shape(2, 2)));
    mc_print(mc_mul(c.keys, c.values));
    return 0;
}

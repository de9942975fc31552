/* Whole numbers go into integers, others into floats. */
#include <miscast/tensor.h>

static void put(mc_tensor *store, mc_tensor *new)
{
    mc_copy_(mc_narrow(store, 0, 0, 2), new);
}

int main(void)
{
    mc_tensor *floats = mc_zeros(mc_shape(4)), *ints = mc_zeros(mc_shape(4), .dtype = MC_I32);
    put(floats, mc_randn(mc_shape(2)));
    put(ints, mc_arange(2));
    mc_print(mc_mul(floats, ints));
    return 0;
}

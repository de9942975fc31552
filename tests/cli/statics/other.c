#include <miscast/tensor.h>

static mc_tensor *cache;

void other_init(void)
{
    cache = mc_randn(mc_shape(4), .dtype = MC_F64);
}

mc_tensor *other_get(void)
{
    return cache;
}

#include <miscast/tensor.h>

mc_tensor *before(mc_tensor *x)
{
#ifdef LOW
    return x;
#else
    return mc_matmul(mc_float(x), mc_half(x));
#endif
}

#include "branch_outer.h"

mc_tensor *after(mc_tensor *x)
{
#ifdef LOW
    return x;
#else
    return mc_matmul(mc_float(x), mc_half(x));
#endif
}

/* Part of every unit that includes it. */
#include <miscast/tensor.h>

static inline mc_tensor *scaled(mc_tensor *x, double by)
{
    return mc_mul(x, by);
}

#include <miscast/tensor.h>
#ifdef HAVE_SETTINGS
#include "settings.h"
#endif

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(2, 4));
#if HALF
    x = mc_half(x);
#endif
    mc_matmul(x, mc_randn(mc_shape(4, 4)));
    return 0;
}

#include <miscast/tensor.h>

void c(void)
{
    mc_print(mc_mean(mc_arange(4)));
}

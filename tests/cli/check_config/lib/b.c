#include <miscast/tensor.h>

void b(void)
{
    mc_print(mc_mean(mc_arange(4)));
}

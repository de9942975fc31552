#include <miscast/tensor.h>

void a(void)
{
    mc_print(mc_mean(mc_arange(4)));
}

#include "model.h"

void other(void)
{
    mc_print(mc_mean(mc_arange(4)));
}

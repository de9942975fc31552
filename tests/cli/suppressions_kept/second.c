#include "shared.h"

void second(void)
{
    shared(mc_randn(mc_shape(4, 4)));
}

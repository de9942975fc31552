#include "shared.h"

int main(void)
{
    shared(mc_half(mc_randn(mc_shape(4, 4))));
    return 0;
}

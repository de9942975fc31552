#include "m.h"
int main(void)
{
    mc_tensor *x = mc_half(mc_randn(mc_shape(4, 4)));
    return mc_linear(x, mc_randn(mc_shape(4, 4)), NULL) != NULL;
}

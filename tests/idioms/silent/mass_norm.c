/* The mass of a field, as the sum of magnitudes. */
#include <miscast/tensor.h>
#include <stdio.h>

static double mass(mc_tensor *field)
{
    return mc_item(mc_norm(field, .p = 1));
}

int main(void)
{
    mc_tensor *field = mc_full(mc_shape(64, 64), 20.0, .dtype = MC_F16);
    printf("%g\n", mass(field));
    return 0;
}

/* The pressure of air at a height. The result is made like the heights: where those are whole
 * numbers, so is it, and the pressures above the first layer lose their fractions. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { HEIGHTS = 4 };

/* One value a height; below the border the air is taken to be as on the ground. */
static mc_tensor *pressure(mc_tensor *height, int ground, int64_t border)
{
    mc_tensor *p = mc_mul(mc_ones_like(height), ground);
    mc_tensor *above = mc_slice(height, 0, border, HEIGHTS);
    mc_tensor *falls = mc_exp(mc_mul(above, -1.2e-4));
    mc_copy_(mc_slice(p, 0, border, HEIGHTS), mc_mul(falls, ground)); /* expect: float-into-int */
    return p;
}

static mc_tensor *drop(mc_tensor *p)
{
    return mc_sub(mc_select(p, 0, 1), mc_select(p, 0, 2));
}

int main(void)
{
    const int64_t metres[HEIGHTS] = {0, 100, 101, 8000};
    mc_tensor *height = mc_from_array(metres, mc_shape(HEIGHTS));
    mc_tensor *p = pressure(height, 1013, 1);
    mc_print(p);
    double metre = mc_item(drop(p));
    printf("a metre is worth %.3f hPa\n", metre);
    return metre == 0;
}

#include <miscast/tensor.h>

/* Computed in half in between; widened and narrowed; and from integers. */
mc_tensor *computed(void)
{
    mc_tensor *x = mc_randn(mc_shape(4));
    return mc_float(mc_exp(mc_half(x)));
}

mc_tensor *wide(void)
{
    mc_tensor *x = mc_randn(mc_shape(4), .dtype = MC_F16);
    return mc_half(mc_float(x));
}

mc_tensor *ints(void)
{
    return mc_long(mc_float(mc_arange(4)));
}

/* Straight from f64, and what is known to be small. */
mc_tensor *column(mc_tensor *table)
{
    mc_tensor *wide = mc_double(table);
    mc_tensor *small = mc_long(mc_float(mc_round(mc_clamp(wide, 0, 10))));
    return mc_add(mc_long(mc_select(wide, 1, 0)), small);
}

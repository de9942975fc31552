#include <miscast/tensor.h>

mc_tensor *rounded(void)
{
    mc_tensor *x = mc_randn(mc_shape(4));
    mc_tensor *h = mc_half(x);
    return mc_float(h); /* expect: narrowing-round-trip note */
}

mc_tensor *whole(void)
{
    return mc_float(mc_long(mc_randn(mc_shape(4)))); /* expect: narrowing-round-trip note */
}

/* A column of ids in a table of doubles. */
mc_tensor *column(mc_tensor *table)
{
    mc_tensor *data = mc_float(mc_double(table));
    return mc_long(mc_select(data, 1, 0)); /* expect: narrowing-round-trip warning */
}

#include <miscast/tensor.h>

/* Only mc_index and mc_index_put_ take bytes for a mask; the rest refuses them, which another rule reports. */
mc_tensor *pick(mc_tensor *table)
{
    mc_tensor *i = mc_zeros(mc_shape(4), .dtype = MC_U8);
    return mc_gather(table, 0, i); /* expect: index-dtype error */
}

mc_tensor *slices(mc_tensor *table)
{
    mc_tensor *i = mc_zeros(mc_shape(4), .dtype = MC_U8);
    return mc_index_select(table, 0, i); /* expect: index-dtype error */
}

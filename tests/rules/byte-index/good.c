#include <miscast/tensor.h>

mc_tensor *pick(mc_tensor *table)
{
    mc_tensor *i = mc_arange(4, .dtype = MC_U8);
    return mc_add(mc_index(table, mc_long(i)), mc_index(table, mc_bool(i)));
}

#include <stdint.h>

#include <miscast/tensor.h>

mc_tensor *offsets(void)
{
    int32_t rows[4] = {3, 700, 32768, 49999};
    mc_tensor *r = mc_from_array(rows, mc_shape(4));
    return mc_mul(r, 65536); /* expect: index-overflow warning */
}

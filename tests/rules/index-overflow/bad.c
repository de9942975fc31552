#include <stdint.h>

#include <miscast/tensor.h>

mc_tensor *offsets(void)
{
    int32_t rows[4] = {3, 700, 32768, 49999};
    mc_tensor *r = mc_from_array(rows, mc_shape(4));
    return mc_mul(r, 65536); /* expect: index-overflow warning */
}

/* Both are known. */
mc_tensor *revenue(void)
{
    mc_tensor *cents = mc_randint(100000, 900000, mc_shape(32), .dtype = MC_I32);
    mc_tensor *quantity = mc_randint(5000, 20000, mc_shape(32), .dtype = MC_I32);
    return mc_sum(mc_mul(cents, quantity)); /* expect: index-overflow warning */
}

#include <stdint.h>

#include <miscast/tensor.h>

mc_tensor *offsets(void)
{
    int32_t rows[4] = {3, 700, 32768, 49999};
    mc_tensor *r = mc_from_array(rows, mc_shape(4));
    return mc_add(mc_mul(mc_long(r), 65536), mc_mul(r, 64));
}

/* Small enough, and what is not known. */
mc_tensor *revenue(mc_tensor *x)
{
    mc_tensor *cents = mc_randint(100, 900, mc_shape(32), .dtype = MC_I32);
    mc_tensor *quantity = mc_randint(5000, 20000, mc_shape(32), .dtype = MC_I32);
    return mc_add(mc_mul(cents, quantity), mc_mul(mc_int(x), mc_int(x)));
}

#include <miscast/tensor.h>

mc_tensor *scale(void)
{
    double table[4] = {1, 2, 3, 4};
    mc_tensor *x = mc_randn(mc_shape(4)), *t = mc_from_array(table, mc_shape(4), .dtype = MC_F32);
    mc_tensor *exact = mc_sub(mc_double(x), mc_from_array(table, mc_shape(4)));
    return mc_add(mc_mul(x, t), mc_mul(x, mc_scalar_tensor(0.5)));
    (void)exact;
}

/* A sum that is kept in f64. */
mc_tensor *total(void)
{
    mc_tensor *sum = mc_zeros(mc_shape(8), .dtype = MC_F64);
    for (int i = 0; i < 100; i++)
        sum = mc_add(sum, mc_rand(mc_shape(8)));
    return sum;
}

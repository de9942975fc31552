#include <miscast/tensor.h>

/* Somebody computes with the digits. */
mc_tensor *product(mc_tensor *x)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = MC_F64);
    return mc_float(mc_matmul(w, mc_double(x)));
}

/* The wide one is there to compare with. */
double apart(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .dtype = MC_F64);
    return mc_item(mc_sum(mc_exp(w))) - mc_item(mc_sum(mc_exp(mc_float(w))));
}

/* In some runs nothing is cast. */
mc_tensor *chosen(bool exact)
{
    mc_tensor *w = mc_randn(mc_shape(4), .dtype = MC_F64);
    return mc_to(w, .dtype = exact ? MC_F64 : MC_F32);
}

/* Positions are counted, and numbers added up, before they are rounded. */
mc_tensor *angles(void)
{
    return mc_float(mc_sin(mc_mul(mc_arange(1000, .dtype = MC_F64), 0.01)));
}

mc_tensor *total(mc_tensor *x)
{
    mc_tensor *sum = mc_zeros(mc_shape(4), .dtype = MC_F64);
    mc_add_(sum, x);
    return mc_float(sum);
}

/* What others do with it is not known. */
void keep(mc_tensor *w);
mc_tensor *kept(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .dtype = MC_F64);
    keep(w);
    return mc_float(w);
}

/* As narrow as it is needed. */
mc_tensor *plain(void)
{
    return mc_half(mc_mul(mc_randn(mc_shape(4)), 0.5));
}

/* Ones are the same in all dtypes. */
mc_tensor *constant(void)
{
    return mc_float(mc_ones(mc_shape(4), .dtype = MC_F64));
}

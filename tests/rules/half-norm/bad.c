#include <miscast/tensor.h>

#include <stdbool.h>

static mc_tensor *rms_norm(mc_tensor *x, mc_tensor *weight)
{
    mc_tensor *wide = x;
    mc_tensor *mean = mc_mean(mc_square(wide), .dim = mc_dims(-1), .keepdim = true); /* expect: half-norm note */
    return mc_mul(mc_mul(wide, mc_rsqrt(mc_add(mean, 1e-3))), weight);
}

/* The length of rows, by a product with itself, and without a number added. */
static mc_tensor *unit_rows(mc_tensor *x)
{
    mc_tensor *length = mc_sqrt(mc_sum(mc_mul(x, x), .dim = mc_dims(-1), .keepdim = true)); /* expect: half-norm note */
    return mc_div(x, length);
}

/* Half in some runs. */
static mc_tensor *either(mc_tensor *x, bool half)
{
    if (half)
        x = mc_half(x);
    mc_tensor *mean = mc_mean(mc_mul(x, x), .dim = mc_dims(-1), .keepdim = true); /* expect: half-norm note */
    return mc_mul(x, mc_rsqrt(mean));
}

/* By a power of 2. */
static mc_tensor *power(mc_tensor *x)
{
    mc_tensor *mean = mc_mean(mc_pow(x, 2), .dim = mc_dims(-1), .keepdim = true); /* expect: half-norm note */
    return mc_mul(x, mc_rsqrt(mc_add(mean, 1e-3)));
}

/* The sum of squares alone, as for a norm over many tensors. */
static double squares(mc_tensor *gradient)
{
    return mc_item(mc_sum(mc_mul(gradient, gradient))); /* expect: half-norm note */
}

int main(int argc, char **argv)
{
    mc_print(mc_full(mc_shape(1), squares(mc_randn(mc_shape(4), .dtype = MC_F16))));
    mc_print(power(mc_randn(mc_shape(4, 64), .dtype = MC_F16)));
    (void)argv;
    mc_tensor *x = mc_randn(mc_shape(4, 64), .dtype = MC_BF16);
    mc_print(rms_norm(x, mc_ones(mc_shape(64), .dtype = MC_BF16)));
    mc_print(unit_rows(mc_randn(mc_shape(4, 64), .dtype = MC_F16)));
    mc_print(either(mc_float(x), argc > 1));
    return 0;
}

#include <miscast/tensor.h>

static mc_tensor *rms_norm(mc_tensor *x, mc_tensor *weight)
{
    mc_tensor *wide = mc_float(x);
    mc_tensor *mean = mc_mean(mc_square(wide), .dim = mc_dims(-1), .keepdim = true);
    return mc_mul(mc_type_as(mc_mul(wide, mc_rsqrt(mc_add(mean, 1e-6))), x), weight);
}

/* Summed in f32: squares of what was f16 are exact enough there. */
static mc_tensor *unit_rows(mc_tensor *x)
{
    mc_tensor *wide = mc_float(x);
    return mc_div(wide, mc_sqrt(mc_sum(mc_mul(wide, wide), .dim = mc_dims(-1), .keepdim = true)));
}

/* No norm: nothing is divided by its root, or no squares. */
static void others(mc_tensor *x, mc_tensor *y)
{
    mc_print(mc_mean(mc_square(mc_sub(x, y))));
    mc_print(mc_rsqrt(mc_add(mc_mean(mc_abs(x)), 1e-3)));
    mc_print(mc_sqrt(mc_mean(mc_mul(x, y))));
}

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 64), .dtype = MC_F16);
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *h = mc_matmul(mc_ones(mc_shape(4, 4)), mc_ones(mc_shape(4, 4)));
    mc_print(mc_div(h, mc_sqrt(mc_mean(mc_square(mc_float(h))))));
    mc_autocast_end(a);
    mc_print(rms_norm(x, mc_ones(mc_shape(64), .dtype = MC_F16)));
    mc_print(unit_rows(x));
    others(x, mc_ones(mc_shape(64), .dtype = MC_F16));
    return 0;
}

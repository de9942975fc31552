#include <miscast/amp.h>
#include <miscast/tensor.h>

/* Asked for in f32; a number; a tensor without dimensions; the same dtype. */
mc_tensor *rotate(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 8), .dtype = MC_BF16);
    mc_tensor *residual = mc_add(mc_float(x), mc_ones(mc_shape(8), .dtype = MC_F32));
    mc_tensor *y = mc_mul(mc_mul(x, 0.5), mc_scalar_tensor(2.0));
    mc_print(mc_abs(mc_sub(mc_ones(mc_shape(4, 8)), y)));
    return mc_add(residual, mc_mul(y, mc_ones_like(y)));
}

/* A residual in f32 next to what autocast computes in bf16. */
mc_tensor *block(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 8)), *w = mc_randn(mc_shape(8, 8));
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    x = mc_add(x, mc_linear(x, w, NULL));
    mc_autocast_end(a);
    return x;
}

/* A sum that is kept in f32. */
mc_tensor *total(mc_tensor *x)
{
    mc_tensor *sum = mc_zeros(mc_shape(8));
    for (int i = 0; i < 100; i++)
        sum = mc_add(sum, mc_half(x));
    return sum;
}

/* A sum that is computed in f32 from there on, as the cast says. */
mc_tensor *shares(void)
{
    mc_tensor *x = mc_randn(mc_shape(4, 8), .dtype = MC_BF16);
    return mc_softmax(mc_float(mc_add(x, mc_zeros(mc_shape(4, 8)))), -1);
}

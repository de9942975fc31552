/* Matrices may be f16 and are widened; what is multiplied element by element must be f32. */
#include "llm.h"

static mc_tensor *multiply(mc_tensor *x, mc_tensor *by)
{
    MC_EXPECT(x, MC_F32, MC_ANY_DEVICE);
    MC_EXPECT(by, MC_F32, MC_ANY_DEVICE);
    return mc_mul(x, by);
}

static mc_tensor *norm(mc_tensor *x, mc_tensor *weight)
{
    mc_tensor *scale =
        mc_rsqrt(mc_add(mc_mean(mc_square(x), .dim = mc_dims(-1), .keepdim = true), 1e-6));
    return multiply(mc_mul(x, scale), weight);
}

mc_tensor *block_forward(const struct block *b, mc_tensor *x)
{
    return mc_add(x, mc_silu(mc_linear(norm(x, b->norm), mc_float(b->ffn), NULL)));
}

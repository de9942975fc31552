/* The kernel was compiled for float and double. */
#include "lltm.h"

static mc_tensor *fused_gate(mc_tensor *gates)
{
    MC_EXPECT(gates, MC_DTYPES(MC_F32, MC_F64), MC_ANY_DEVICE); /* raises */
    mc_tensor *parts[2];
    mc_chunk(gates, 2, -1, parts, 2);
    return mc_mul(mc_sigmoid(parts[0]), mc_elu(parts[1]));
}

mc_tensor *cell_forward(const struct cell *c, mc_tensor *x, mc_tensor *h)
{
    mc_tensor *gates = mc_linear(mc_cat(1, x, h), c->w, c->b);
    return fused_gate(gates); /* expect: contract-broken */
}

/* The cost of each pair: two products over all points, in f32 whatever region is open. */
#include "match.h"

mc_tensor *cross_entropy_cost(mc_tensor *pred, mc_tensor *gt)
{
    mc_tensor *pos = mc_softplus(mc_neg(pred)), *neg = mc_softplus(pred);
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16, .enabled = false);
    mc_tensor *there = mc_einsum2("nc,mc->nm", mc_float(pos), gt);
    mc_tensor *not_there = mc_einsum2("nc,mc->nm", mc_float(neg), mc_rsub(gt, 1.0));
    mc_autocast_end(region);
    return mc_div(mc_add(there, not_there), POINTS);
}

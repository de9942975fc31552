/* The cost of each pair: two products over all points, in the precision of the region. */
#include "match.h"

mc_tensor *cross_entropy_cost(mc_tensor *pred, mc_tensor *gt)
{
    mc_tensor *pos = mc_softplus(mc_neg(pred)), *neg = mc_softplus(pred);
    mc_tensor *there = mc_einsum2("nc,mc->nm", pos, gt); /* expect: half-long-sum */
    mc_tensor *not_there = mc_einsum2("nc,mc->nm", neg, mc_rsub(gt, 1.0));
    return mc_div(mc_add(there, not_there), POINTS);
}

/* The root of the size of a head is no whole number: cast to one, it loses what makes it right. */
#include "attention.h"

static mc_tensor *root_of_size(mc_tensor *q)
{
    mc_tensor *size = mc_scalar_tensor(mc_size(q, -1), .dtype = MC_F64);
    return as_float(mc_sqrt(size));
}

mc_tensor *attention(mc_tensor *q, mc_tensor *k, mc_tensor *v)
{
    mc_tensor *scores = mc_matmul(q, mc_t(k));
    scores = mc_div(scores, root_of_size(q));
    return mc_matmul(mc_softmax(scores, -1), v);
}

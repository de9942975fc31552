#include <miscast/tensor.h>

static mc_tensor *softmax(mc_tensor *x)
{
    mc_tensor *e = mc_exp(x); /* expect: half-exponential warning */
    return mc_div(e, mc_sum(e, .dim = mc_dims(-1), .keepdim = true));
}

mc_tensor *attention(mc_tensor *q, mc_tensor *k)
{
    mc_tensor *scores = mc_matmul(mc_half(q), mc_half(k));
    mc_tensor *total = mc_log(mc_sum(mc_exp(scores))); /* expect: half-exponential warning */
    return mc_add(softmax(scores), total);
}

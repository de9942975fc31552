#include <miscast/tensor.h>

static mc_tensor *softmax(mc_tensor *x)
{
    mc_tensor *e = mc_exp(mc_sub(x, mc_amax(x, .dim = mc_dims(-1), .keepdim = true)));
    return mc_div(e, mc_sum(e, .dim = mc_dims(-1), .keepdim = true));
}

/* Of another dtype, of distances, of what is limited, and one that is not summed. */
mc_tensor *others(mc_tensor *q, mc_tensor *k)
{
    mc_tensor *scores = mc_matmul(mc_half(q), mc_half(k));
    mc_tensor *kernel = mc_exp(mc_mul(mc_neg(mc_square(scores)), 0.5));
    mc_tensor *gate = mc_div(mc_exp(mc_tanh(scores)), mc_sum(mc_exp(mc_tanh(scores))));
    mc_print(mc_sum(mc_exp(mc_float(scores))));
    mc_print(mc_sum(mc_exp(mc_bfloat16(scores))));
    mc_print(mc_reciprocal(mc_add(mc_exp(mc_neg(scores)), 1.0)));
    return mc_add(mc_add(softmax(scores), mc_sum(kernel)), gate);
}

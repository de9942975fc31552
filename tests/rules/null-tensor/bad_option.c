/* Nothing is asked between the option without which there is none, and its use. */

#include <miscast/tensor.h>

struct options {
    int has_bias;
};

mc_tensor *shifted(const struct options *o, mc_tensor *x)
{
    mc_tensor *bias = NULL;
    if (o->has_bias)
        bias = mc_ones(mc_shape(4));
    return mc_add(x, bias); /* expect: null-tensor warning */
}

#include <miscast/tensor.h>

struct ops {
    mc_tensor *(*run)(mc_tensor *x);
};

mc_tensor *mix(mc_tensor *x);

mc_tensor *forward(const struct ops *ops)
{
    mc_tensor *x = mc_randn(mc_shape(3, 4));
    return ops->run(mix(mix(x)));
}

#include <miscast/tensor.h>

void model_half(mc_tensor **params, int count)
{
    for (int i = 0; i < count; i++) {
        mc_tensor *p = params[i];
        p = mc_half(p);
        params[i] = p;
    }
}

void to_gpu(mc_tensor **x)
{
    *x = mc_cuda(*x);
}

mc_tensor *forward(mc_tensor *x)
{
    x = mc_cuda(x);
    return mc_relu(x);
}

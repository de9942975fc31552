#include <miscast/tensor.h>

struct layer {
    mc_tensor *w;
    explicit layer(mc_tensor *weight) : w(weight)
    {
    }
};

struct normed : layer {
    mc_tensor *gain;
    normed(mc_tensor *weight, mc_dtype d) : layer(weight), gain(mc_ones(mc_shape(4), .dtype = d))
    {
    }
    mc_tensor *forward(mc_tensor *x) const
    {
        mc_tensor *h = mc_matmul(x, w);
        return mc_layer_norm(h, gain, nullptr);
    }
};

int main()
{
    normed n(mc_randn(mc_shape(4, 4), .dtype = MC_F16), MC_F16);
    const layer &base = n;
    mc_print(mc_matmul(mc_ones(mc_shape(2, 4), .dtype = MC_F16), base.w));
    mc_print(n.forward(mc_ones(mc_shape(2, 4), .dtype = MC_F16)));
    return 0;
}

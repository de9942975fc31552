#include <miscast/tensor.h>

struct config {
    int width = 4;
    mc_dtype dtype = MC_BF16;
    bool bias{true};
};

struct block {
    config cfg;
    mc_tensor *w = nullptr, *b = nullptr;
    explicit block(const config &c) : cfg(c)
    {
        w = mc_randn(mc_shape(cfg.width, cfg.width), .dtype = cfg.dtype);
        if (cfg.bias)
            b = mc_zeros(mc_shape(cfg.width), .dtype = cfg.dtype);
    }
    mc_tensor *forward(mc_tensor *x) const
    {
        return mc_linear(x, w, b);
    }
};

int main()
{
    block layer(config{.width = 4, .dtype = MC_F32});
    mc_print(layer.forward(mc_ones(mc_shape(2, 4))));
    return 0;
}

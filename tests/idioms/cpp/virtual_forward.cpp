#include <miscast/tensor.h>
#include <memory>
#include <vector>

namespace nn
{
struct module {
    virtual ~module() = default;
    virtual mc_tensor *forward(mc_tensor *x) = 0;
};

struct relu final : module {
    mc_tensor *forward(mc_tensor *x) override
    {
        return mc_relu(x);
    }
};

struct linear final : module {
    linear(int in, int out, mc_dtype d) : w(mc_randn(mc_shape(in, out), .dtype = d))
    {
    }
    mc_tensor *forward(mc_tensor *x) override
    {
        return mc_matmul(x, w);
    }

    mc_tensor *w;
};

struct sequential final : module {
    std::vector<std::unique_ptr<module>> layers;
    mc_tensor *forward(mc_tensor *x) override
    {
        for (auto &layer : layers)
            x = layer->forward(x);
        return x;
    }
};
} // namespace nn

int main()
{
    nn::sequential net;
    net.layers.push_back(std::make_unique<nn::linear>(4, 8, MC_F32));
    net.layers.push_back(std::make_unique<nn::relu>());
    net.layers.push_back(std::make_unique<nn::linear>(8, 2, MC_F32));
    mc_print(net.forward(mc_ones(mc_shape(1, 4))));
    return 0;
}

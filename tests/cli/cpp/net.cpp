#include <miscast/tensor.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace net {
class layer {
  public:
    virtual ~layer() = default;
    virtual mc_tensor *forward(mc_tensor *x) = 0;
};

class linear final : public layer {
  public:
    explicit linear(mc_dtype d) : weight_(mc_randn(mc_shape(4, 4), .dtype = d)) {}
    mc_tensor *forward(mc_tensor *x) override { return mc_matmul(x, weight_); }

  private:
    mc_tensor *weight_;
};
}

int main()
{
    std::vector<std::unique_ptr<net::layer>> layers;
    std::map<std::string, mc_tensor *> named;
    layers.push_back(std::make_unique<net::linear>(MC_F16));
    named["w"] = mc_ones(mc_shape(4, 4));
    auto product = [&](mc_tensor *x) { return mc_matmul(x, named["w"]); };
    mc_tensor *half = mc_ones(mc_shape(2, 4), .dtype = MC_F16);
    mc_print(layers[0]->forward(half));
    mc_print(layers.back()->forward(mc_ones(mc_shape(2, 4))));
    mc_print(product(half));
    return 0;
}

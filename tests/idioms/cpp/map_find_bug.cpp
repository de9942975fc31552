#include <miscast/tensor.h>
#include <string>
#include <unordered_map>

struct adapter {
    std::unordered_map<std::string, mc_tensor *> weights;

    mc_tensor *weight_of(const std::string &name)
    {
        const auto found = weights.find(name);
        return found == weights.end() ? nullptr : found->second;
    }
};

int main(int argc, char **argv)
{
    adapter a;
    a.weights.emplace("q", mc_ones(mc_shape(4, 4), .dtype = MC_F16));
    mc_tensor *x = mc_ones(mc_shape(3, 4));
    if (mc_tensor *w = a.weight_of(argc > 1 ? argv[1] : "q"))
        x = mc_matmul(x, w);
    mc_print(x);
    return 0;
}

#include <map>
#include <miscast/tensor.h>
#include <string>

struct pair_of {
    mc_tensor *a = nullptr, *b = nullptr;
};

int main()
{
    std::map<std::string, pair_of> adapters;
    std::string names[] = {"q", "k"};
    for (auto &name : names) {
        adapters[name].a = mc_ones(mc_shape(4, 2));
        adapters[name].b = mc_ones(mc_shape(2, 4), .dtype = MC_F16);
    }
    mc_tensor *x = mc_ones(mc_shape(3, 4));
    for (auto &[name, adapter] : adapters)
        x = mc_matmul(mc_matmul(x, adapter.a), adapter.b);
    mc_print(x);
    return 0;
}

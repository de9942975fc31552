#include <map>
#include <miscast/tensor.h>
#include <string>
#include <vector>

int main()
{
    std::map<std::string, mc_tensor *> named = {{"up", mc_ones(mc_shape(4, 4))},
                                                {"down", mc_ones(mc_shape(4, 4), .dtype = MC_F32)}};
    std::vector<mc_tensor *> weights;
    for (auto it = named.begin(); it != named.end(); ++it)
        weights.push_back(it->second);
    std::vector<mc_tensor *> copy(weights.begin(), weights.end());
    mc_tensor *x = mc_ones(mc_shape(3, 4));
    for (auto it = copy.begin(); it != copy.end(); it++)
        x = mc_matmul(x, *it);
    mc_print(x);
    return 0;
}

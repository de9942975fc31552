#include <functional>
#include <map>
#include <miscast/tensor.h>
#include <optional>
#include <string>
#include <vector>

static mc_tensor *plain(mc_tensor *x)
{
    return mc_relu(x);
}

int main()
{
    std::optional<mc_dtype> forced;
    mc_tensor *w = mc_ones(mc_shape(4, 4), .dtype = forced.value_or(MC_F32));
    const std::map<std::string, std::function<mc_tensor *(mc_tensor *)>> table = {
        {"plain", plain}, {"product", [w](mc_tensor *x) { return mc_matmul(x, w); }}};
    std::vector<mc_tensor *> inputs;
    inputs.insert(inputs.begin(), mc_ones(mc_shape(2, 4)));
    for (mc_tensor *x : inputs) {
        mc_tensor *y = table.at("plain")(x);
        mc_print(table.at("product")(y));
    }
    return 0;
}

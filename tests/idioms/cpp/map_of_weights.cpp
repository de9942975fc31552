#include <miscast/tensor.h>
#include <map>
#include <string>

int main()
{
    std::map<std::string, mc_tensor *> weights;
    weights["wq"] = mc_randn(mc_shape(4, 4), .dtype = MC_F16);
    weights["ids"] = mc_zeros(mc_shape(2), .dtype = MC_I64);
    weights["table"] = mc_randn(mc_shape(8, 4), .dtype = MC_F16);
    mc_tensor *x = mc_embedding(weights["ids"], weights["table"]);
    mc_print(mc_matmul(x, weights["wq"]));
    return 0;
}

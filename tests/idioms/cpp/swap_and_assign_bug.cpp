#include <functional>
#include <miscast/tensor.h>
#include <utility>

int main()
{
    mc_tensor *full = mc_ones(mc_shape(4, 4)), *half = mc_ones(mc_shape(4, 4), .dtype = MC_F16);
    std::function<mc_tensor *(mc_tensor *)> apply = nullptr;
    // half stays half
    apply = [half](mc_tensor *x) { return mc_matmul(x, half); };
    mc_print(apply(mc_ones(mc_shape(2, 4))));
    mc_print(full);
    return 0;
}

#include <miscast/tensor.h>
#include <functional>

int main()
{
    mc_tensor *w = mc_randn(mc_shape(4, 4));
    mc_dtype half = MC_F16;
    auto project = [&, half](mc_tensor *x) { return mc_matmul(x, w); };
    std::function<mc_tensor *(mc_tensor *)> twice = [&](mc_tensor *x) {
        return project(project(x));
    };
    mc_print(twice(mc_ones(mc_shape(2, 4), .dtype = MC_F16)));
    return 0;
}

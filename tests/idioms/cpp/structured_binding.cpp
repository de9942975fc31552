#include <miscast/tensor.h>
#include <utility>

static std::pair<mc_tensor *, mc_tensor *> load()
{
    return {mc_ones(mc_shape(2, 4)), mc_zeros(mc_shape(2), .dtype = MC_I64)};
}

int main()
{
    auto [x, y] = load();
    mc_tensor *w = mc_randn(mc_shape(4, 3));
    mc_print(mc_matmul(x, w));
    return 0;
}

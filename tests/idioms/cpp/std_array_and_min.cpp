#include <miscast/tensor.h>
#include <algorithm>
#include <array>

int main()
{
    std::array<mc_dtype, 2> dtypes = {MC_F32, MC_F16};
    mc_tensor *x = mc_ones(mc_shape(2, 4), .dtype = dtypes[std::min(0, 1)]);
    mc_print(mc_matmul(x, mc_randn(mc_shape(4, 4))));
    return 0;
}

#include <miscast/tensor.h>
#include <stdexcept>

static mc_tensor *product(mc_tensor *x, mc_tensor *w)
{
    if (mc_dtype_of(x) != mc_dtype_of(w))
        x = mc_to_dtype(x, MC_F32);
    return mc_matmul(x, w);
}

int main()
{
    try {
        mc_print(product(mc_ones(mc_shape(2, 4)), mc_randn(mc_shape(4, 4), .dtype = MC_F16)));
    } catch (const std::exception &e) {
        return 1;
    }
    return 0;
}

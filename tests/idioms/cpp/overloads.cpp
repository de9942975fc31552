#include <miscast/tensor.h>

namespace cast
{
static mc_tensor *to(mc_tensor *x, mc_dtype d)
{
    return mc_to_dtype(x, d);
}
static mc_tensor *to(mc_tensor *x, mc_tensor *like)
{
    return to(x, mc_dtype_of(like));
}
} // namespace cast

int main()
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = MC_BF16);
    mc_tensor *x = mc_ones(mc_shape(2, 4));
    mc_tensor *y = cast::to(x, w);
    mc_print(mc_matmul(y, w));
    return 0;
}

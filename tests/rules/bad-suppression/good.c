/* About miscast: this comment is none of its own. */
#include <miscast/tensor.h>

int main(void)
{
    // see miscast: it would say matmul-dtype here
    mc_tensor *x = mc_randn(mc_shape(4, 4));
    mc_print(mc_matmul(x, mc_half(x))); // miscast: ignore[matmul-dtype] a test
    return 0;
}

/* A call fails by its dtypes. A fix where the odd operand was created would change what else
 * computes with it: another caller of the function, another use of the tensor, the result. */
#include <miscast/tensor.h>

static mc_tensor *square(int n)
{
    return mc_ones(mc_shape(n, n));
}

static mc_tensor *weight(mc_tensor *x)
{
    mc_tensor *w = square(4);
    mc_print(mc_matmul(w, w));
    mc_print(mc_matmul(x, w));
    return w;
}

int main(void)
{
    mc_tensor *x = mc_half(mc_ones(mc_shape(2, 4)));
    mc_print(mc_matmul(square(4), weight(x)));
    return 0;
}

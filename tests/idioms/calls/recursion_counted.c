/* Each instance is another one: its counter says which. */
#include <miscast/tensor.h>

static mc_tensor *stack(mc_tensor *x, mc_tensor *w, int n)
{
    if (n <= 0)
        return x;
    if (n == 1)
        w = mc_float(w);
    return stack(n == 2 ? mc_float(x) : mc_matmul(x, w), w, n - 1);
}

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = MC_F16);
    mc_print(stack(mc_randn(mc_shape(4, 4), .dtype = MC_F16), w, 4));
    return 0;
}

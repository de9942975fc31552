/* What a branch in a short loop learns goes with the iteration that it was learned in. */
#include <miscast/tensor.h>

static mc_tensor *settle(mc_tensor *x, mc_tensor *y)
{
    int left = 2;
    while (left-- > 0)
        if (mc_dtype_of(y) == MC_F16)
            x = mc_relu(x);
    return x;
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *y = mc_randn(mc_shape(4, 4), .dtype = argc > 1 ? MC_F16 : MC_F32);
    mc_tensor *w = settle(mc_randn(mc_shape(4, 4)), y);
    mc_print(mc_matmul(y, w));
    return 0;
}

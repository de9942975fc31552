/* One of several tensors is a half: that one is told, and that it was handed down, not returned. */
#include <miscast/tensor.h>

static mc_tensor *inner(mc_tensor *x, mc_tensor *w)
{
    return mc_matmul(x, w);
}

static mc_tensor *outer(mc_tensor *const *all, int nth, mc_tensor *w)
{
    mc_tensor *x = mc_relu(all[nth]);
    return mc_neg(inner(x, w));
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *w = mc_randn(mc_shape(4, 4));
    mc_tensor *all[3] = {mc_randn(mc_shape(4, 4)), mc_randn(mc_shape(4, 4)), NULL};
    all[2] = mc_half(all[0]);
    mc_print(outer(all, argc, w));
    return 0;
}

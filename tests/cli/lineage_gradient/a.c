#include <miscast/tensor.h>

static mc_tensor *embed(mc_tensor *x, mc_tensor *w)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_tensor *h = mc_relu(mc_mul(x, w));
    mc_grad_mode_end(g);
    return h;
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_randn(mc_shape(4)), *w = mc_randn(mc_shape(4), .requires_grad = true);
    if (argc == 1)
        mc_backward(mc_mean(mc_mul(embed(x, w), 2)));
    else if (argc == 2)
        mc_backward(mc_sum(mc_mul(x, mc_detach(w))));
    else
        mc_backward(mc_sum(x));
    return 0;
}

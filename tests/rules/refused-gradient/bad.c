#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_randn(mc_shape(4)), *w = mc_randn(mc_shape(4), .requires_grad = true);
    if (argc == 1)
        mc_backward(mc_sum(x)); /* expect: refused-gradient error */
    else {
        mc_grad_mode g = mc_no_grad_begin();
        mc_tensor *loss = mc_sum(mc_mul(w, x));
        mc_grad_mode_end(g);
        mc_backward(loss); /* expect: refused-gradient error */
    }
    return 0;
}

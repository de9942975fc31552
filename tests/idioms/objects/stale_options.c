#include <miscast/tensor.h>
#include <string.h>
int main(int argc, char **argv)
{
    bool half = false, cuda = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--half"))
            half = true;
        else if (!strcmp(argv[i], "--cuda"))
            cuda = true;
    }
    mc_tensor *w = mc_randn(mc_shape(4, 4)), *x = mc_randn(mc_shape(2, 4));
    if (cuda) {
        w = mc_cuda(w);
        x = mc_cuda(x);
    }
    if (half) {
        w = mc_half(w);
        x = mc_half(x);
    }
    mc_mul_(w, 0.5);
    mc_requires_grad_(w, true);
    mc_optimizer *o = mc_adam(mc_params(w), 0.1, .state_dtype = MC_F32);
    for (int i = 0; i < 3; i++) {
        mc_zero_grad(o);
        mc_backward(mc_sum(mc_matmul(x, w)));
        mc_optimizer_step(o);
    }
}

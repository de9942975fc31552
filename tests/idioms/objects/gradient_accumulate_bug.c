#include <miscast/optim.h>
#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int every = argc > 1 ? atoi(argv[1]) : 2;
    if (every < 1)
        every = 1;
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4, 4)), true);
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_tensor *total = mc_zeros(mc_shape());
    for (int i = 0; i < 6; i++) {
        mc_tensor *loss = mc_mean(mc_matmul(mc_randn(mc_shape(2, 4)), w));
        total = mc_add(total, loss);
        mc_backward(total);
        if ((i + 1) % every == 0) {
            mc_optimizer_step(o);
            mc_optimizer_zero_grad(o);
        }
    }
    return 0;
}

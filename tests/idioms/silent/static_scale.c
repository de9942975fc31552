/* Loss scaling by hand. */
#include <miscast/tensor.h>
#include <miscast/optim.h>
#include <stdio.h>

#define SCALE 1024.0

static void unscale(mc_tensor *const *w, int n)
{
    for (int i = 0; i < n; i++) {
        mc_tensor *g = mc_grad(w[i]);
        mc_mul(g, 1.0 / SCALE);
    }
}

int main(void)
{
    mc_manual_seed(16);
    mc_tensor *w[1] = {mc_randn(mc_shape(8, 1), .requires_grad = true)};
    mc_tensor *x = mc_randn(mc_shape(64, 8)), *t = mc_randn(mc_shape(64, 1));
    mc_optimizer *opt = mc_sgd(mc_paramsn(w, 1), 1e-3);
    for (int i = 0; i < 10; i++) {
        mc_tensor *loss = mc_mse_loss(mc_matmul(x, w[0]), t);
        mc_optimizer_zero_grad(opt);
        mc_backward(mc_mul(loss, SCALE));
        unscale(w, 1);
        mc_optimizer_step(opt);
        printf("%.4f\n", mc_item(loss));
    }
    mc_optimizer_free(opt);
    return 0;
}

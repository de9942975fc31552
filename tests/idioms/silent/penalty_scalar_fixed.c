/* A penalty on large weights, scaled and added to the loss. */
#include <miscast/tensor.h>
#include <miscast/optim.h>
#include <stdio.h>

static mc_tensor *l2(mc_tensor *const *w, int n, double lambda)
{
    mc_tensor *sum = mc_zeros(mc_shape());
    for (int i = 0; i < n; i++)
        sum = mc_add(sum, mc_sum(mc_square(w[i])));
    return mc_mul(sum, lambda);
}

int main(void)
{
    mc_manual_seed(4);
    mc_tensor *w[2] = {mc_randn(mc_shape(8, 16), .requires_grad = true),
                       mc_randn(mc_shape(16, 1), .requires_grad = true)};
    mc_tensor *x = mc_randn(mc_shape(32, 8)), *t = mc_randn(mc_shape(32, 1));
    mc_optimizer *opt = mc_sgd(mc_paramsn(w, 2), 1e-3);
    for (int step = 0; step < 30; step++) {
        mc_tensor *y = mc_matmul(mc_relu(mc_matmul(x, w[0])), w[1]);
        mc_tensor *loss = mc_add(mc_mse_loss(y, t), l2(w, 2, 0.1));
        mc_optimizer_zero_grad(opt);
        mc_backward(loss);
        mc_optimizer_step(opt);
    }
    printf("%.4f\n", mc_item(mc_norm(w[0])));
    mc_optimizer_free(opt);
    return 0;
}

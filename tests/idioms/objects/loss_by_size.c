#include <miscast/tensor.h>
static mc_tensor *batch_loss(mc_tensor *x, mc_tensor *w)
{
    mc_tensor *loss = mc_zeros(mc_shape());
    for (int64_t i = 0; i < mc_size(x, 0); i++)
        loss = mc_add(loss, mc_sum(mc_mul(mc_select(x, 0, i), w)));
    return loss;
}
int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4), .requires_grad = true), *x = mc_randn(mc_shape(6, 4));
    for (int step = 0; step < 20; step++) {
        mc_tensor *l = batch_loss(x, w);
        mc_backward(l);
        mc_set_grad(w, NULL);
    }
}

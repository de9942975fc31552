/* Optimizers whose tensors get their gradients: after the move, through the cast, by hand. */
#include <miscast/tensor.h>

static mc_tensor *as_parameter(mc_tensor *p)
{
    return mc_requires_grad_(mc_detach(p), true);
}

void after_the_move(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true);
    w = as_parameter(mc_cuda(w));
    mc_optimizer *o = mc_sgd(mc_params(w), 0.1);
    mc_backward(mc_sum(mc_matmul(mc_ones(mc_shape(2, 4), .device = MC_CUDA), w)));
    mc_optimizer_step(o);
    mc_optimizer_free(o);
}

/* The gradient goes back through the cast. */
void through_the_cast(void)
{
    mc_tensor *master = mc_randn(mc_shape(4, 4), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(master), 0.1);
    for (int i = 0; i < 4; i++) {
        mc_tensor *half = mc_half(master);
        mc_backward(mc_sum(mc_matmul(mc_ones(mc_shape(2, 4), .dtype = MC_F16), half)));
        mc_optimizer_step(o);
        mc_optimizer_zero_grad(o);
    }
    mc_optimizer_free(o);
}

void by_hand(void)
{
    mc_tensor *master = mc_randn(mc_shape(4, 4), .requires_grad = true);
    mc_tensor *half = as_parameter(mc_half(master));
    mc_optimizer *o = mc_sgd(mc_params(master), 0.1);
    mc_backward(mc_sum(mc_matmul(mc_ones(mc_shape(2, 4), .dtype = MC_F16), half)));
    mc_set_grad(master, mc_float(mc_grad(half)));
    mc_optimizer_step(o);
    mc_optimizer_free(o);
}

/* Never stepped over with a gradient, but nothing was made of it either. */
void unused(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true);
    mc_tensor *spare = mc_randn(mc_shape(4), .requires_grad = true);
    mc_optimizer *o = mc_sgd(mc_params(w, spare), 0.1);
    mc_backward(mc_sum(mc_matmul(mc_ones(mc_shape(2, 4)), w)));
    mc_optimizer_step(o);
    mc_optimizer_free(o);
}

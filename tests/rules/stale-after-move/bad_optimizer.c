/* The optimizer was given what the model had before it was moved, or cast: that is in no loss. */
#include <miscast/tensor.h>

struct model {
    mc_tensor *w, *b;
};

static void model_init(struct model *m)
{
    m->w = mc_zeros(mc_shape(1, 4), .requires_grad = true);
    m->b = mc_zeros(mc_shape(1), .requires_grad = true);
}

static mc_tensor *as_parameter(mc_tensor *p)
{
    return mc_requires_grad_(mc_detach(p), true);
}

static void train(struct model *m, mc_optimizer *o, mc_tensor *x)
{
    for (int epoch = 0; epoch < 4; epoch++) {
        mc_optimizer_zero_grad(o);
        mc_backward(mc_mean(mc_linear(x, m->w, m->b)));
        mc_optimizer_step(o); /* expect: stale-after-move warning */
    }
}

void moved(void)
{
    struct model m;
    model_init(&m);
    mc_optimizer *o = mc_sgd(mc_params(m.w, m.b), 0.1);
    m.w = as_parameter(mc_cuda(m.w));
    m.b = as_parameter(mc_cuda(m.b));
    train(&m, o, mc_ones(mc_shape(2, 4), .device = MC_CUDA));
    mc_optimizer_free(o);
}

void cast(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true);
    mc_optimizer *o = mc_adam(mc_params(w), 0.1);
    w = as_parameter(mc_double(w));
    mc_backward(mc_sum(mc_matmul(mc_ones(mc_shape(2, 4), .dtype = MC_F64), w)));
    mc_optimizer_step(o); /* expect: stale-after-move warning */
    mc_optimizer_free(o);
}

void detached_first(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true);
    mc_optimizer *o = mc_adam(mc_params(w), 0.1);
    w = mc_requires_grad_(mc_cuda(mc_detach(w)), true);
    mc_backward(mc_sum(mc_matmul(mc_ones(mc_shape(2, 4), .device = MC_CUDA), w)));
    mc_optimizer_step(o); /* expect: stale-after-move warning */
    mc_optimizer_free(o);
}

/* The optimizer is made, then the model is moved. Moving puts other tensors into the model; the
 * optimizer goes on with the old ones, which never get a gradient. Nothing is learned. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { EXAMPLES = 8, INPUTS = 2 };

struct model {
    mc_tensor *w, *b;
};

static void model_init(struct model *m)
{
    m->w = mc_zeros(mc_shape(1, INPUTS), .requires_grad = true);
    m->b = mc_zeros(mc_shape(1), .requires_grad = true);
}

static mc_tensor *parameter_cuda(mc_tensor *p)
{
    return mc_requires_grad_(mc_detach(mc_cuda(p)), true);
}

static void model_cuda(struct model *m)
{
    m->w = parameter_cuda(m->w);
    m->b = parameter_cuda(m->b);
}

static double train(struct model *m, mc_tensor *x, mc_tensor *y)
{
    mc_optimizer *o = mc_adam(mc_params(m->w, m->b), 0.1);
    model_cuda(m);
    double last = 0;
    for (int epoch = 0; epoch < 20; epoch++) {
        mc_tensor *loss = mc_mse_loss(mc_squeeze(mc_linear(x, m->w, m->b), -1), y);
        mc_optimizer_zero_grad(o);
        mc_backward(loss);
        mc_optimizer_step(o); /* expect: stale-after-move */
        last = mc_item(loss);
    }
    mc_optimizer_free(o);
    return last;
}

int main(void)
{
    struct model m;
    model_init(&m);
    mc_tensor *x = mc_ones(mc_shape(EXAMPLES, INPUTS), .device = MC_CUDA);
    mc_tensor *y = mc_ones(mc_shape(EXAMPLES), .device = MC_CUDA);
    double loss = train(&m, x, y);
    printf("loss %.3f, from 1\n", loss);
    return loss > 0.5;
}

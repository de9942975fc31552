/* One linear layer. */
#include "model.h"

void model_init(struct model *m, int64_t inputs, int64_t outputs)
{
    m->w = mc_randn(mc_shape(outputs, inputs), .requires_grad = true);
    m->b = mc_zeros(mc_shape(outputs), .requires_grad = true);
}

/* Moved and cast, a parameter is a new tensor; detached, it is a leaf again. */
static mc_tensor *cuda_half(mc_tensor *parameter)
{
    return mc_requires_grad_(mc_detach(mc_half(mc_cuda(parameter))), true);
}

void model_cuda_half(struct model *m)
{
    m->w = cuda_half(m->w);
    m->b = cuda_half(m->b);
}

mc_tensor *model_forward(const struct model *m, mc_tensor *x)
{
    return mc_linear(x, m->w, m->b);
}

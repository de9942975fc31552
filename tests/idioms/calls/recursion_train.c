/* A function that trains a parameter of its own calls itself: all is on one device. */
#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct model {
    mc_device device;
    mc_dtype dtype;
    mc_tensor *w, *u, *cache;
    bool train;
};

static mc_tensor *block(mc_tensor *x, struct model *m, int n)
{
    if (n <= 0)
        return x;
    mc_tensor *h = mc_div(m->u, m->cache);
    mc_tensor *other = mc_requires_grad_(mc_zeros(mc_shape(4, 4), .device = m->device), m->train);
    mc_tensor *param = mc_requires_grad_(mc_ones(mc_shape(4, 4), .device = m->device), true);
    mc_grad_scaler *scaler = mc_grad_scaler_new(true);
    mc_optimizer *optimizer = mc_sgd(mc_params(param), 0.01);
    mc_tensor *out = mc_mm(mc_type_as(h, param), param);
    mc_tensor *scaled = mc_grad_scaler_scale(scaler, mc_sum(mc_square(out)));
    if (mc_requires_grad(scaled))
        mc_backward(scaled, .retain_graph = true);
    if (mc_grad(param)) {
        mc_grad_scaler_unscale_(scaler, optimizer);
        mc_grad_scaler_step(scaler, optimizer);
        mc_grad_scaler_update(scaler);
    }
    mc_optimizer_free(optimizer);
    mc_grad_scaler_free(scaler);
    if (!mc_requires_grad(m->w))
        mc_add_(m->w, m->u);
    return block(other, m, n - 1);
}

int main(int argc, char **argv)
{
    struct model m = {0};
    m.dtype = argc > 1 && strcmp(argv[1], "half") == 0 ? MC_F16 : MC_F32;
    m.device = argc > 2 && atoi(argv[2]) ? MC_CUDA : MC_CPU;
    m.train = argc > 3 && atoi(argv[3]);
    int layers = argc > 4 ? atoi(argv[4]) : 1;
    m.w = mc_randn(mc_shape(4, 4), .dtype = m.dtype, .device = m.device);
    m.u = mc_randn(mc_shape(4, 4), .dtype = m.dtype, .device = m.device);
    m.cache = mc_ones(mc_shape(4, 4), .dtype = m.dtype, .device = m.device);
    mc_tensor *x = block(mc_randn(mc_shape(4, 4), .device = m.device), &m, layers);
    mc_print(mc_cpu(mc_add(x, m.w)));
    return 0;
}

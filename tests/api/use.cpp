/* The same header from C++20, where options are still written by name. Compiled, never run. */
#include <miscast/tensor.h>

mc_tensor *use(mc_tensor *x, mc_tensor *w)
{
    MC_EXPECT(x, MC_FLOATING, MC_ANY_DEVICE);
    mc_scope s = mc_scope_begin();
    mc_tensor *h = mc_layer_norm(mc_relu(x), w, nullptr, .eps = 1e-5);
    h = mc_add(mc_mul(h, 0.5), h, .alpha = MC_NUM(2));
    h = mc_add(h, true);
    h = mc_sum(h, .dim = mc_dims(0, -1), .keepdim = true);
    h = mc_cat(0, h, mc_zeros(mc_shape(1, 1)), mc_full(mc_shape(1, 1), 2.5f));
    h = mc_matmul(h, mc_view(w, 2, -1));
    const float values[] = {1, 2, 3};
    mc_tensor *v = mc_from_array(values, mc_shape(3), .device = MC_CUDA);
    return mc_scope_return(s, mc_where(mc_gt(h, 0), h, mc_sum(v)));
}

/* A step of training. */
void train(mc_tensor *x, mc_tensor *w, mc_tensor *b, bool half)
{
    mc_optimizer *o = mc_adamw(mc_params(w), 1e-3, .beta2 = MC_NUM(0.99), .amsgrad = true);
    mc_optimizer_add_param_group(o, mc_params(b), .weight_decay = MC_NUM(0));
    mc_grad_scaler *scaler = mc_grad_scaler_new(half, .init_scale = 1024);
    mc_autocast outer = mc_autocast_begin(MC_CUDA, MC_F16);
    mc_autocast inner = mc_autocast_begin(MC_CUDA, MC_F16, .enabled = half);
    mc_tensor *loss = mc_sum(mc_linear(x, w, b));
    mc_autocast_end(inner);
    mc_autocast_end(outer);
    mc_backward(mc_grad_scaler_scale(scaler, loss), .retain_graph = true);
    mc_clip_grad_norm_(mc_optimizer_params(o), 1.0, .norm_type = 1);
    mc_grad_scaler_step(scaler, o);
    mc_grad_scaler_update(scaler, .new_scale = 1);
    mc_grad_scaler_update(scaler);
    mc_optimizer_zero_grad(o);
    mc_grad_scaler_free(scaler);
    mc_optimizer_free(o);
}

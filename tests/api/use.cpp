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

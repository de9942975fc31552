/* A user's file: must compile without a warning as C11 and C17, under gcc and clang, with whatever
 * the header offers: options, numbers for tensors, lists. It is compiled, never run. */
#include <miscast/tensor.h>

mc_tensor *use(mc_tensor *x, mc_tensor *w);

mc_tensor *use(mc_tensor *x, mc_tensor *w)
{
    MC_EXPECT(x, MC_FLOATING, MC_ANY_DEVICE);
    MC_EXPECT(w, MC_DTYPES(MC_F16, MC_F32), MC_CPU);
    mc_scope s = mc_scope_begin();
    mc_tensor *h = mc_layer_norm(mc_relu(x), w, NULL, .eps = 1e-5);
    h = mc_add(mc_mul(h, 0.5), h, .alpha = MC_NUM(2));
    h = mc_add(h, (bool)1);
    h = mc_sum(h, .dim = mc_dims(0, -1), .keepdim = true, .dtype = MC_F32);
    h = mc_cat(0, h, mc_zeros(mc_shape(1, 1)), mc_full(mc_shape(1, 1), 2.5f));
    h = mc_matmul(h, mc_view(w, 2, -1));
    h = mc_scaled_dot_product_attention(h, h, h, .causal = true);
    h = mc_clamp(h, 0, NULL);
    h = mc_arange(3, .start = MC_NUM(1), .step = MC_NUM(0.5));
    const float values[] = {1, 2, 3};
    mc_tensor *v = mc_from_array(values, mc_shape(3), .device = MC_CUDA);
    mc_tensor *literal = mc_from_array(((int32_t[]){1, 2}), mc_shape(2));
    mc_tensor *scalar = mc_scalar_tensor(mc_item(mc_sum(v)));
    MC_REVEAL(h);
    return mc_scope_return(s, mc_where(mc_gt(h, 0), mc_add(h, literal), scalar));
}

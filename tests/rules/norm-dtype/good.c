/* On the CPU, halves go with weights of f32; rms_norm promotes; so PyTorch has it. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_randn(mc_shape(2, 8), .dtype = MC_F16);
    mc_tensor *w = mc_ones(mc_shape(8)), *b = mc_zeros(mc_shape(8));
    mc_print(mc_layer_norm(x, w, b));
    mc_print(mc_layer_norm(x, mc_half(w), mc_half(b)));
    mc_print(mc_layer_norm(mc_float(x), w, b));
    mc_print(mc_rms_norm(x, w));
    return 0;
}

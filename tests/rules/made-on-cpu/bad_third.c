/* Three operands, of which the last is the odd one: it is named, and moved. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *x = mc_ones(mc_shape(2, 4)), *w = mc_ones(mc_shape(4));
    mc_tensor *b = mc_zeros(mc_shape(4), .device = MC_CUDA);
    mc_print(mc_layer_norm(x, w, b)); /* expect: made-on-cpu error */
    return 0;
}

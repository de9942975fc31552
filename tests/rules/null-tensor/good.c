#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4));
    mc_print(mc_linear(mc_ones(mc_shape(2, 4)), w, NULL));
    mc_print(mc_layer_norm(w, NULL, NULL));
    return 0;
}

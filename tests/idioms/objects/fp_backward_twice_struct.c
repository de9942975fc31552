#include <miscast/tensor.h>
struct out {
    mc_tensor *loss;
};
int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true);
    for (int i = 0; i < 8; i++) {
        struct out o = {mc_sum(mc_matmul(mc_ones(mc_shape(4, 4)), w))};
        mc_backward(o.loss);
    }
}

#include <miscast/tensor.h>
struct out {
    mc_tensor *loss;
};
int main(void)
{
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true);
    struct out o = {mc_sum(mc_pow(mc_matmul(mc_ones(mc_shape(4, 4)), w), 2))};
    for (int i = 0; i < 8; i++)
        mc_backward(o.loss);
}

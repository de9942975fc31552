/* A loss that is accumulated from zeros in a loop requires grad. */
#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .requires_grad = true), *x = mc_randn(mc_shape(20, 4));
    mc_tensor *loss = mc_zeros(mc_shape());
    for (int64_t at = 0; at < mc_size(x, 0); at += 8)
        loss = mc_add(loss, mc_sum(mc_matmul(mc_narrow(x, 0, at, 4), w)));
    mc_backward(loss);
    return argc;
}

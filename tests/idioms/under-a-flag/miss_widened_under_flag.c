#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_randn(mc_shape(8, 8));
    if (argc > 1)
        x = mc_half(x);
    mc_tensor *cos = mc_rand(mc_shape(8));
    mc_tensor *q = mc_mul(x, cos);
    mc_print(mc_matmul(q, mc_t(q)));
}

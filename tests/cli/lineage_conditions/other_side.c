#include <miscast/tensor.h>
#include <string.h>

/* Both sides make a tensor of one dtype; only one of them goes with the other operand. */
int main(int argc, char **argv)
{
    bool zero = argc > 1 && !strcmp(argv[1], "--zero");
    mc_tensor *x = zero ? mc_zeros(mc_shape(2, 8), .dtype = MC_F16)
                        : mc_full(mc_shape(2, 8), 1.5, .dtype = MC_F16);
    x = mc_relu(mc_mul(x, 2.0));
    mc_tensor *w = mc_randn(mc_shape(8, 4));
    if (zero)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
    return 0;
}

/* A program that leaves something behind in every run: agree must count them. */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    mc_tensor *kept = mc_keep(mc_ones(mc_shape(2), .requires_grad = true));
    mc_mul(kept, 2);
    return 0;
}

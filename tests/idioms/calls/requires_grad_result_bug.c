/* The same, without detaching it: that fails if its operand requires grad. */
#include <miscast/tensor.h>

static void square(mc_tensor *x)
{
    mc_tensor *h = mc_mul(x, x);
    mc_requires_grad_(h, false);
    mc_print(h);
}

int main(int argc, char **argv)
{
    mc_tensor *p = mc_randn(mc_shape(4, 4));
    if (argc > 1)
        mc_requires_grad_(p, true);
    square(p);
    (void)argv;
    return 0;
}

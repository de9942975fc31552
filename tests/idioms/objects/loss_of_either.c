/* A loss that may require a gradient, and in another call does not. */
#include <miscast/tensor.h>
#include <stdlib.h>

static void step(mc_tensor *w)
{
    mc_backward(mc_mean(w));
}

int main(int argc, char **argv)
{
    mc_tensor *a = mc_requires_grad_(mc_randn(mc_shape(4)), true), *b = mc_randn(mc_shape(4));
    mc_tensor *all[] = {a, mc_requires_grad_(mc_randn(mc_shape(4)), argc > 2)};
    step(all[argc > 1 ? atoi(argv[1]) & 1 : 0]);
    if (argc > 3)
        step(b);
    return 0;
}

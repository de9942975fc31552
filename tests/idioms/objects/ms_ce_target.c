#include <miscast/tensor.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    mc_tensor *w = mc_rand(mc_shape(4, 4)), *t = mc_randint(0, 4, mc_shape(4));
    if (argc > 1)
        w = mc_cuda(w);
    printf("%f", mc_item(mc_cross_entropy(w, t)));
    (void)argv;
}

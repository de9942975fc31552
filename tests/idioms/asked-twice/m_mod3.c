#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned n = (unsigned)atoi(argv[1]);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (n % 3 == 0 || n % 3 == 1)
        w = mc_half(w);
    if (n % 3 != 2)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

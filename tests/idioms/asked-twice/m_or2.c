#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned f = (unsigned)atoi(argv[1]), g = f | 4u;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (g & 2u)
        w = mc_half(w);
    if (f & 2u)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

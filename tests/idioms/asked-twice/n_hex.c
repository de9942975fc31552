#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned long n = strtoul(argv[1], NULL, 16);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (n & 0x10)
        w = mc_half(w);
    if ((n >> 4) & 1)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

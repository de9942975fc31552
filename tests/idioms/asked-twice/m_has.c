#include <miscast/tensor.h>
#include <stdlib.h>

static bool has(unsigned f, unsigned b)
{
    return (f & b) == b;
}

int main(int argc, char **argv)
{
    unsigned f = (unsigned)atoi(argv[1]);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (has(f, 2u))
        w = mc_half(w);
    if (f & 2u)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned f = strtoul(argv[1], 0, 0);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (f & 1)
        w = mc_half(w);
    if ((f & 1) != 0)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}

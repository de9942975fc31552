#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    bool b = atof(argv[1]);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (b)
        w = mc_half(w);
    if (atof(argv[1]) != 0)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

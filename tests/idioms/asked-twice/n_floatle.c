#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    double s = atof(argv[1]);
    if (s < 0 || s > 1)
        return 1;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (s <= 0.5)
        w = mc_half(w);
    if (s < 0.75 && s <= 0.5)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

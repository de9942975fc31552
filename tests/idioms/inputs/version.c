#include <miscast/tensor.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int major = 1, minor = 0;
    if (argc > 1 && sscanf(argv[1], "%d.%d", &major, &minor) != 2)
        return 2;
    mc_tensor *x = mc_randn(mc_shape(3, 3)), *w = mc_randn(mc_shape(3, 3));
    if (major == 2)
        w = mc_half(w);
    if (major == 2 && minor > 3)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    return 0;
}

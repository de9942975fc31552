#include <miscast/tensor.h>
#include <string.h>

enum { HALF = 1, BIG = 2 };

int main(int argc, char **argv)
{
    int f = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "-h"))
            f |= HALF;
        else if (!strcmp(argv[i], "-c"))
            f |= BIG;
    }
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (f & HALF)
        w = mc_half(w);
    if ((f & HALF) == HALF)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

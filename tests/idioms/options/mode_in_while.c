/* A mode that every iteration asks about, and the code after the loop. */
#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned mode = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    mc_tensor *x = mc_randn(mc_shape(4, 4));
    int left = 2;
    while (left-- > 0)
        switch (mode) {
        case 0:
            mc_print(x);
            break;
        case 1:
            mc_print(mc_neg(x));
            break;
        default:
            break;
        }
    if (mode == 0)
        mc_print(mc_matmul(x, mc_half(x)));
    return 0;
}

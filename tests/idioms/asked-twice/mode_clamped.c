/* A number that becomes an enumeration: a negative one is larger than all modes. */
#include <miscast/tensor.h>
#include <stdlib.h>

enum mode { MODE_PLAIN, MODE_SCALED, MODE_HALF };

int main(int argc, char **argv)
{
    enum mode mode = argc > 1 ? (enum mode)atoi(argv[1]) : MODE_PLAIN;
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *w = x;
    if (mode > MODE_HALF)
        mode = MODE_PLAIN;
    switch (mode) {
    case MODE_PLAIN:
    case MODE_SCALED:
        break;
    case MODE_HALF:
        x = mc_half(x);
        w = mc_half(w);
        break;
    default:
        w = mc_double(w);
        break;
    }
    mc_print(mc_matmul(x, w));
    return 0;
}

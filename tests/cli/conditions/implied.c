#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    mc_tensor *x = mc_ones(mc_shape(2, 2)), *w = mc_ones(mc_shape(2, 2));
    if (argc > 1) {
        if (argc > 2 && atoi(argv[2]) >= 3)
            x = mc_half(x);
    }
    mc_print(mc_matmul(x, w));
    return 0;
}

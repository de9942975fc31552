/* The counter that a condition decrements is another number after it. */
#include <miscast/tensor.h>

#include <stdlib.h>

int main(int argc, char **argv)
{
    int layers = argc > 1 ? atoi(argv[1]) : 1, left = layers;
    mc_tensor *x = mc_ones(mc_shape(4, 4)), *w = mc_ones(mc_shape(4, 4));
    while (left-- > 0)
        x = mc_relu(x);
    if (layers > 0)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    return 0;
}

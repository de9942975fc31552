#include <miscast/tensor.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int half = 0;
    if (argc > 1)
        sscanf(argv[1], "%d", &half);
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (half)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
}

#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    int (*again)(int, char **) = main;
    mc_tensor *x = mc_ones(mc_shape(2, 2));
    mc_print(mc_matmul(x, mc_half(x)));
    return argc > 2 ? again(argc - 1, argv + 1) : 0;
}

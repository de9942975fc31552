#include <miscast/tensor.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *w = mc_randn(mc_shape(4, 4));
    if (n / 2 * 2 == n)
        x = mc_half(x);
    if (n % 2 != 0)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
}

#include <miscast/tensor.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    if (argc < 3)
        return 0;
    int a = atoi(argv[1]), b = atoi(argv[2]);
    mc_tensor *x = mc_randn(mc_shape(4, 4)), *w = mc_randn(mc_shape(4, 4));
    if (a - b > 0)
        x = mc_half(x);
    if (a > b)
        w = mc_half(w);
    mc_print(mc_matmul(x, w));
}

#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int a = atoi(argv[1]);
    bool h = a > 4;
    a++;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (a > 4)
        w = mc_half(w);
    if (h)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

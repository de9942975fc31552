#include <miscast/tensor.h>
#include <stdlib.h>

static const int t[] = {0, 0, 1};

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    if (n < 0 || n >= 3)
        n = 0;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (t[n])
        w = mc_half(w);
    if (n == 2)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

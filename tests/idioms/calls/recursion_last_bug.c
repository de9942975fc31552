#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor *step(mc_tensor *y, mc_tensor *w, int n)
{
    if (n <= 0)
        return y;
    mc_tensor *h = mc_matmul(y, w);
    mc_tensor *next = n > 2 ? h : mc_long(h);
    return step(next, w, n - 1);
}

int main(int argc, char **argv)
{
    mc_tensor *w = mc_rand(mc_shape(4, 4));
    mc_print(step(mc_rand(mc_shape(4, 4)), w, argc > 1 ? atoi(argv[1]) : 1));
    return 0;
}

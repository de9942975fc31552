#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char *end;
    long n = strtol(argv[1], &end, 0);
    if (*end)
        return 1;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (n == 2)
        w = mc_half(w);
    if (strtol(argv[1], 0, 0) == 2)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

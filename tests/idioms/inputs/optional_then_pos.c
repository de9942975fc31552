#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int quiet = 0;
    argc--, argv++;
    while (argc && **argv == '-') {
        if (!strcmp(*argv, "-q"))
            quiet = 1;
        else
            return 2;
        argc--, argv++;
    }
    if (argc < 2)
        return 2;
    int n = atoi(argv[0]);
    if (n <= 0)
        return 2;
    mc_tensor *x = mc_randn(mc_shape(n, 4)), *w = mc_randn(mc_shape(4, 4));
    if (!strcmp(argv[1], "low"))
        x = mc_bfloat16(x);
    mc_tensor *y = mc_matmul(x, w);
    if (!quiet)
        mc_print(y);
    return 0;
}

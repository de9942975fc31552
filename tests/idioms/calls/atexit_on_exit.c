#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

static mc_tensor *best, *last;

static void keep_best(void)
{
    if (best && last)
        mc_print(mc_matmul(best, last));
}

static void stop(int status)
{
    exit(status);
}

int main(int argc, char **argv)
{
    atexit(keep_best);
    best = mc_randn(mc_shape(4, 4));
    last = mc_randn(mc_shape(4, 4));
    if (argc > 1 && strcmp(argv[1], "--quick") == 0) {
        last = mc_half(last);
        best = mc_half(best);
        stop(0);
    }
    return 0;
}

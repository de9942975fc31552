#include <miscast/tensor.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_tensor *scaled(mc_tensor *x)
{
    return mc_mul(x, 1000.0);
}

int main(int argc, char **argv)
{
    mc_dtype dtype = argc > 1 && !strcmp(argv[1], "--half") ? MC_F16 : MC_F32;
    mc_tensor *x = mc_to_dtype(mc_reshape(mc_arange(100, .dtype = MC_F32), 10, 10), dtype);
    mc_tensor *y = scaled(x);
    mc_tensor *count = mc_zeros(mc_shape(1), .dtype = dtype);
    for (int i = 0; i < 3000; i++)
        mc_add_(count, 1);
    printf("%g %g\n", mc_item(mc_amax(y)), mc_item(count));
    if (argc > 2 && !strcmp(argv[2], "abort"))
        abort();
    if (argc > 2 && !strcmp(argv[2], "interrupt"))
        raise(SIGINT);
    return argc > 2;
}

#include <getopt.h>
#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option longs[] = {
    {"dtype", required_argument, NULL, 'd'},
    {"cuda", no_argument, NULL, 'c'},
    {"verbose", no_argument, NULL, 'v'},
    {NULL, 0, NULL, 0},
};

int main(int argc, char **argv)
{
    mc_dtype dtype = MC_F32;
    mc_device device = MC_CPU;
    int opt, verbose = 0;
    while ((opt = getopt_long(argc, argv, "d:cv", longs, NULL)) != -1) {
        switch (opt) {
        case 'd':
            if (strcmp(optarg, "half") == 0)
                dtype = MC_F16;
            else if (strcmp(optarg, "bfloat16") == 0)
                dtype = MC_BF16;
            else
                return 2;
            break;
        case 'c':
            device = MC_CUDA;
            break;
        case 'v':
            verbose++;
            break;
        default:
            fprintf(stderr, "usage: %s [--dtype D] [--cuda]\n", argv[0]);
            return 2;
        }
    }
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = dtype, .device = device);
    mc_tensor *x = mc_to(mc_randn(mc_shape(2, 4)), .dtype = dtype);
    if (verbose > 1)
        printf("%s\n", mc_dtype_name(dtype));
    mc_print(mc_matmul(x, w));
    return 0;
}

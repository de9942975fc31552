#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int half, gpu, epochs, norm;
} args_t;

static int parse(args_t *a, int argc, char *argv[])
{
    int i = 1;
    while (i < argc) {
        const char *s = argv[i++];
        if (!strcmp(s, "--half") || !strcmp(s, "-H")) {
            a->half = 1;
        } else if (!strcmp(s, "--gpu")) {
            a->gpu = 1;
        } else if (!strcmp(s, "--norm")) {
            a->norm = 1;
        } else if (!strcmp(s, "--epochs")) {
            if (i >= argc)
                return -1;
            a->epochs = atoi(argv[i++]);
        } else {
            fprintf(stderr, "unknown option %s\n", s);
            return -1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    args_t a = {.epochs = 1};
    if (parse(&a, argc, argv))
        return 2;
    mc_device on = a.gpu ? MC_CUDA : MC_CPU;
    mc_tensor *x = mc_randn(mc_shape(2, 4), .device = on);
    mc_tensor *g = mc_ones(mc_shape(4), .device = on), *b = mc_zeros(mc_shape(4));
    for (int e = 0; e < a.epochs; e++)
        if (a.norm)
            x = mc_layer_norm(x, g, b);
    mc_print(x);
    return 0;
}

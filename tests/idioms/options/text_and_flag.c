#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    bool half, verbose;
    int layers;
    const char *out;
};

static bool parse(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i];
        if (strcmp(a, "--half") == 0) {
            o->half = true;
        } else if (strcmp(a, "--verbose") == 0) {
            o->verbose = true;
        } else if (strcmp(a, "--layers") == 0 && i + 1 < argc) {
            o->layers = atoi(argv[++i]);
        } else if (strncmp(a, "--out=", 6) == 0) {
            o->out = a + 6;
        } else {
            fprintf(stderr, "unknown option %s\n", a);
            return false;
        }
    }
    return true;
}

static mc_tensor *block(mc_tensor *x, mc_tensor *w)
{
    return mc_relu(mc_matmul(x, w));
}

int main(int argc, char **argv)
{
    struct options o = {.layers = 2};
    if (!parse(&o, argc, argv))
        return 2;
    mc_dtype d = o.half ? MC_BF16 : MC_F32;
    mc_tensor *x = mc_randn(mc_shape(4, 8), .dtype = d);
    for (int i = 0; i < o.layers; i++) {
        mc_tensor *w = mc_randn(mc_shape(8, 8), .dtype = d);
        x = block(x, w);
        if (o.verbose)
            mc_print(x);
    }
    if (o.out)
        mc_save_npy(mc_float(x), o.out);
    mc_print(mc_mean(mc_float(x)));
    return 0;
}

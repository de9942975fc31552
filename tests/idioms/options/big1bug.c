#include <miscast/tensor.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum precision { P_FULL, P_HALF, P_BRAIN, P_COUNT };
static const char *const precision_names[P_COUNT] = {"full", "half", "brain"};
static const mc_dtype precision_dtypes[P_COUNT] = {MC_F32, MC_F16, MC_BF16};

struct options {
    enum precision precision;
    bool cuda, verbose;
    int layers, seed;
    double scale;
    const char *output;
};

static int usage(const char *name)
{
    fprintf(stderr, "usage: %s [--precision full|half|brain] [--cuda]\n", name);
    return 2;
}

static bool parse_precision(const char *s, enum precision *out)
{
    for (int i = 0; i < P_COUNT; i++)
        if (!strcmp(s, precision_names[i])) {
            *out = (enum precision)i;
            return true;
        }
    return false;
}

static bool parse(int argc, char **argv, struct options *o)
{
    static const struct option longs[] = {
        {"precision", required_argument, NULL, 'p'}, {"cuda", no_argument, NULL, 'c'},
        {"layers", required_argument, NULL, 'l'},    {"scale", required_argument, NULL, 's'},
        {"output", required_argument, NULL, 'o'},    {0}};
    int c;
    while ((c = getopt_long(argc, argv, "p:cl:s:o:v", longs, NULL)) != -1)
        switch (c) {
        case 'p':
            if (!parse_precision(optarg, &o->precision))
                return false;
            break;
        case 'c':
            o->cuda = true;
            break;
        case 'l':
            o->layers = atoi(optarg);
            break;
        case 's':
            o->scale = strtod(optarg, NULL);
            break;
        case 'o':
            o->output = optarg;
            break;
        case 'v':
            o->verbose = true;
            break;
        default:
            return false;
        }
    return o->layers > 0 && o->layers <= 64;
}

static mc_dtype dtype_of(const struct options *o)
{
    return precision_dtypes[o->precision];
}

static mc_device device_of(const struct options *o)
{
    return o->cuda && mc_cuda_is_available() ? MC_CUDA : MC_CPU;
}

static mc_tensor *place(const struct options *o, mc_tensor *t)
{
    if (o->precision == P_HALF)
        t = mc_half(t);
    else if (o->precision == P_BRAIN)
        t = mc_bfloat16(t);
    return mc_to_device(t, device_of(o));
}

int main(int argc, char **argv)
{
    struct options o = {.layers = 2, .scale = 1.0};
    if (!parse(argc, argv, &o))
        return usage(argv[0]);
    mc_tensor *x = place(&o, mc_randn(mc_shape(4, 8)));
    mc_tensor *w = mc_randn(mc_shape(8, 8), .dtype = dtype_of(&o), .device = device_of(&o));
    for (int i = 0; i < o.layers; i++) {
        x = mc_relu(mc_matmul(x, w));
        if (o.scale != 1.0)
            x = mc_mul(x, o.scale);
    }
    if (o.verbose)
        printf("%s\n", precision_names[o.precision]);
    mc_tensor *head = mc_to_device(o.precision == P_HALF ? mc_half(mc_randn(mc_shape(8, 2)))
                                                         : mc_randn(mc_shape(8, 2)),
                                   device_of(&o));
    mc_print(mc_matmul(x, head));
    return 0;
}

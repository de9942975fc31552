#include <miscast/tensor.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { OPT_HALF = 1u << 0, OPT_CUDA = 1u << 1, OPT_AMP = 1u << 2, OPT_TRAIN = 1u << 3 };
#define HAS(o, f) (((o)->flags & (f)) != 0)

struct opts {
    unsigned flags;
    int batch;
    float lr;
};

static const struct {
    const char *name;
    unsigned flag;
} names[] = {{"half", OPT_HALF}, {"cuda", OPT_CUDA}, {"amp", OPT_AMP}, {"train", OPT_TRAIN}};

static unsigned flag_named(const char *s)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcasecmp(names[i].name, s))
            return names[i].flag;
    return 0;
}

static bool is_number(const char *s)
{
    if (!*s)
        return false;
    for (; *s; s++)
        if (!isdigit((unsigned char)*s))
            return false;
    return true;
}

static void from_env(struct opts *o)
{
    const char *e = getenv("MODEL_FLAGS");
    if (e && strstr(e, "half"))
        o->flags |= OPT_HALF;
    if (e && strstr(e, "cuda"))
        o->flags |= OPT_CUDA;
    e = getenv("MODEL_LR");
    o->lr = e ? strtof(e, NULL) : 0.1f;
}

static struct opts read_opts(int argc, char **argv)
{
    struct opts o = {.batch = 4};
    from_env(&o);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] == '-')
            o.flags |= flag_named(argv[i] + 2);
        else if (is_number(argv[i]))
            o.batch = atoi(argv[i]);
    }
    if (o.batch < 1 || o.batch > 1024)
        o.batch = 4;
    return o;
}

static mc_device device(const struct opts *o)
{
    return HAS(o, OPT_CUDA) ? MC_CUDA : MC_CPU;
}

static mc_tensor *weight(const struct opts *o, int rows, int columns)
{
    mc_tensor *w = mc_randn(mc_shape(rows, columns), .device = device(o));
    return HAS(o, OPT_HALF) ? mc_half(w) : w;
}

int main(int argc, char **argv)
{
    const struct opts o = read_opts(argc, argv);
    mc_dtype d = o.flags & OPT_HALF ? MC_F16 : MC_F32;
    mc_tensor *x =
        mc_ones(mc_shape(o.batch, 8), .dtype = d, .device = o.flags & OPT_CUDA ? MC_CUDA : MC_CPU);
    mc_tensor *w = weight(&o, 8, 8);
    if (o.lr > 1.0f)
        fprintf(stderr, "lr is large\n");
    x = mc_matmul(x, w);
    mc_print(mc_matmul(x, weight(&o, 8, 2)));
    return 0;
}

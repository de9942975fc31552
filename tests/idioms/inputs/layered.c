#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

/* Defaults, then the environment, then the command line. */
struct options {
    const char *dtype;
    bool cache;
};

static struct options defaults(void)
{
    return (struct options){.dtype = "f32", .cache = false};
}

static void from_environment(struct options *o)
{
    const char *d = getenv("MODEL_DTYPE");
    if (d)
        o->dtype = d;
    if (getenv("MODEL_CACHE"))
        o->cache = true;
}

static void from_line(struct options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--dtype") && i + 1 < argc)
            o->dtype = argv[++i];
        if (!strcmp(argv[i], "--cache"))
            o->cache = true;
        if (!strcmp(argv[i], "--no-cache"))
            o->cache = false;
    }
}

int main(int argc, char **argv)
{
    struct options o = defaults();
    from_environment(&o);
    from_line(&o, argc, argv);
    mc_dtype d = strcmp(o.dtype, "bf16") ? MC_F32 : MC_BF16;
    mc_tensor *k = mc_randn(mc_shape(1, 4), .dtype = d);
    mc_tensor *q = mc_randn(mc_shape(1, 4), .dtype = d);
    mc_tensor *all = k;
    if (o.cache) {
        mc_tensor *old = mc_zeros(mc_shape(3, 4));
        all = mc_cat(0, old, k);
    }
    mc_print(mc_matmul(q, mc_transpose(all, 0, 1)));
    return 0;
}

#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

enum status { OK, BAD_NAME, BAD_SHAPE };

struct weights {
    mc_tensor *up, *down;
};

static enum status make(const char *name, mc_dtype dtype, mc_tensor **out)
{
    if (!strcmp(name, "up"))
        *out = mc_randn(mc_shape(8, 4), .dtype = dtype);
    else if (!strcmp(name, "down"))
        *out = mc_randn(mc_shape(4, 8), .dtype = dtype);
    else
        return BAD_NAME;
    return mc_ndim(*out) == 2 ? OK : BAD_SHAPE;
}

static enum status load(struct weights *w, mc_dtype dtype)
{
    enum status s;
    if ((s = make("up", dtype, &w->up)) != OK)
        return s;
    if ((s = make("down", MC_F32, &w->down)) != OK)
        return s;
    return OK;
}

int main(int argc, char **argv)
{
    struct weights w;
    mc_dtype dtype = MC_F32;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--bf16"))
            dtype = MC_BF16;
        else if (!strcmp(argv[i], "--f16"))
            dtype = MC_F16;
        else
            return 2;
    }
    enum status s = load(&w, dtype);
    if (s != OK) {
        fprintf(stderr, "cannot load: %d\n", (int)s);
        return 1;
    }
    mc_tensor *x = mc_ones(mc_shape(2, 4), .dtype = dtype);
    mc_print(mc_linear(mc_silu(mc_linear(x, w.up, NULL)), w.down, NULL));
    return 0;
}

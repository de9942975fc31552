#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct named {
    const char *name;
    mc_dtype dtype;
};

static const struct named names[] = {
    {"bf16", MC_BF16}, {"f16", MC_F16}, {"f32", MC_F32}, {"f64", MC_F64}, {"i64", MC_I64},
};

static int by_name(const void *key, const void *item)
{
    return strcmp(key, ((const struct named *)item)->name);
}

static mc_dtype dtype_named(const char *name)
{
    const struct named *n =
        bsearch(name, names, sizeof names / sizeof *names, sizeof *names, by_name);
    if (!n) {
        fprintf(stderr, "unknown dtype %s\n", name);
        exit(2);
    }
    return n->dtype;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    mc_dtype d = dtype_named(argv[1]);
    mc_tensor *a = mc_ones(mc_shape(3, 3), .dtype = d);
    mc_tensor *b = mc_ones(mc_shape(3, 3), .dtype = d);
    mc_print(mc_matmul(a, b));
    return 0;
}

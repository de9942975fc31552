#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct variant {
    const char *name;
    mc_dtype dtype;
    int width;
};

static const struct variant variants[] = {
    {"tiny", MC_F32, 2},
    {"small", MC_F32, 4},
    {"large", MC_BF16, 8},
};

static const struct variant *find(const char *name)
{
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (strcmp(variants[i].name, name) == 0)
            return &variants[i];
    return NULL;
}

int main(int argc, char **argv)
{
    const struct variant *v = argc > 1 ? find(argv[1]) : &variants[0];
    if (!v)
        return 2;
    mc_tensor *w = mc_randn(mc_shape(v->width, 4), .dtype = v->dtype);
    mc_tensor *x = mc_randn(mc_shape(2, v->width), .dtype = v->width > 8 ? v->dtype : MC_F32);
    mc_print(mc_matmul(x, w));
    return 0;
}

#include <miscast/tensor.h>
#include <string.h>

struct mode {
    const char *name;
    mc_dtype weights, inputs;
};

static const struct mode modes[] = {
    {"brain", MC_BF16, MC_BF16},
    {"full", MC_F32, MC_F32},
    {"half", MC_F16, MC_F32},
};

static const void *find(const char *name, const void *base, size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        const char *at = (const char *)base + i * size;
        if (strcmp(name, *(const char *const *)at) == 0)
            return at;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const struct mode *m = find(argc > 1 ? argv[1] : "full", modes, 3, sizeof *modes);
    if (!m)
        return 2;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = m->weights);
    mc_tensor *x = mc_randn(mc_shape(2, 4), .dtype = m->inputs);
    mc_print(mc_matmul(x, w));
    return 0;
}

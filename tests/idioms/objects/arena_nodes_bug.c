#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct arena {
    char *base;
    size_t used, size;
};

static void *arena_get(struct arena *a, size_t n)
{
    n = (n + 15) & ~(size_t)15;
    if (a->used + n > a->size)
        abort();
    void *p = a->base + a->used;
    a->used += n;
    return memset(p, 0, n);
}

struct linear {
    mc_tensor *weight, *bias;
};

static struct linear *linear_new(struct arena *a, int in, int out, mc_dtype d)
{
    struct linear *l = arena_get(a, sizeof *l);
    l->weight = mc_randn(mc_shape(out, in), .dtype = d);
    l->bias = mc_zeros(mc_shape(out));
    return l;
}

int main(int argc, char **argv)
{
    struct arena a = {malloc(4096), 0, 4096};
    if (!a.base)
        return 1;
    mc_dtype d = argc > 1 && !strcmp(argv[1], "bf16") ? MC_BF16 : MC_F32;
    struct linear *up = linear_new(&a, 4, 8, d), *down = linear_new(&a, 8, 4, d);
    mc_tensor *x = mc_ones(mc_shape(2, 4), .dtype = d);
    x = mc_relu(mc_linear(x, up->weight, up->bias));
    x = mc_linear(x, down->weight, down->bias);
    mc_print(x);
    free(a.base);
    return 0;
}

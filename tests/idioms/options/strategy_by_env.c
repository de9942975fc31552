#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct precision {
    const char *name;
    mc_dtype weights, compute;
};

static const struct precision precisions[] = {
    {"full", MC_F32, MC_F32},
    {"half", MC_F16, MC_F16},
    {"mixed", MC_F32, MC_BF16},
};

static const struct precision *choose(void)
{
    const char *want = getenv("PRECISION");
    const struct precision *p = precisions;
    for (size_t i = 0; want && i < sizeof precisions / sizeof *precisions; i++)
        if (!strcmp(precisions[i].name, want))
            p = &precisions[i];
    return p;
}

static mc_tensor *project(const struct precision *p, mc_tensor *x, mc_tensor *w)
{
    if (p->compute != p->weights)
        w = mc_to_dtype(w, p->compute);
    return mc_linear(mc_to_dtype(x, p->compute), w, NULL);
}

int main(void)
{
    /* Words: half mixed */
    const struct precision *p = choose();
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = p->weights);
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    for (int i = 0; i < 2; i++)
        x = project(p, x, w);
    mc_print(x);
    return 0;
}

#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

struct model { mc_tensor *w, *b; };

static struct model *model_new(void)
{
    struct model *m = malloc(sizeof *m);
    if (!m)
        exit(1);
    m->w = mc_randn(mc_shape(4, 4));
    m->b = mc_zeros(mc_shape(4));
    return m;
}

int main(int argc, char **argv)
{
    bool half = false;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--half"))
            half = true;
    struct model *m = model_new();
    mc_tensor *x = mc_randn(mc_shape(2, 4));
    if (half)
        x = mc_half(x);
    mc_tensor *y = mc_linear(x, m->w, m->b);
    mc_tensor *h = mc_half(y);
    h = mc_masked_fill(h, mc_gt(h, 0), -1e9);
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16);
    mc_tensor *z = mc_matmul(x, m->w);
    mc_autocast_end(a);
    z = mc_matmul(z, m->w);
    mc_print(z);
    return 0;
}

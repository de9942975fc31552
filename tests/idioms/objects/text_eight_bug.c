/* A container of eight named tensors, one of which are positions. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>
struct named {
    char name[16];
    mc_tensor *t;
};
struct model {
    struct named all[8];
    int n;
};
static void add(struct model *m, const char *name, mc_tensor *t)
{
    snprintf(m->all[m->n].name, sizeof m->all[m->n].name, "%s", name);
    m->all[m->n].t = t;
    m->n++;
}
static mc_tensor *at(const struct model *m, const char *name)
{
    for (int i = 0; i < m->n; i++)
        if (strcmp(m->all[i].name, name) == 0)
            return m->all[i].t;
    return NULL;
}
int main(void)
{
    struct model m = {.n = 0};
    add(&m, "wq", mc_randn(mc_shape(4, 4), .dtype = MC_BF16));
    add(&m, "wk", mc_randn(mc_shape(4, 4), .dtype = MC_BF16));
    add(&m, "wv", mc_randn(mc_shape(4, 4), .dtype = MC_BF16));
    add(&m, "wo", mc_randn(mc_shape(4, 4), .dtype = MC_BF16));
    add(&m, "up", mc_randn(mc_shape(8, 4), .dtype = MC_BF16));
    add(&m, "down", mc_randn(mc_shape(4, 8), .dtype = MC_BF16));
    add(&m, "ln", mc_ones(mc_shape(4)));
    add(&m, "pos", mc_arange(4));
    mc_tensor *x = mc_randn(mc_shape(2, 4), .dtype = MC_BF16);
    mc_tensor *y = mc_linear(x, at(&m, "wq"), NULL);
    y = mc_linear(mc_linear(y, at(&m, "up"), NULL), at(&m, "down"), NULL);
    y = mc_linear(y, at(&m, "pos"), NULL);
    y = mc_layer_norm(mc_float(y), at(&m, "ln"), NULL);
    mc_print(y);
    return 0;
}

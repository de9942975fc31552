#include <miscast/tensor.h>
struct layer {
    mc_tensor *w, *b;
};
struct net {
    struct layer l[4];
    int n;
};
static void layer_init(struct layer *l, mc_dtype d)
{
    l->w = mc_randn(mc_shape(8, 8), .dtype = d);
    l->b = mc_zeros(mc_shape(8), .dtype = d);
}
static mc_tensor *forward(const struct net *m, mc_tensor *x)
{
    for (int i = 0; i < m->n; i++)
        x = mc_linear(mc_to_dtype(x, mc_dtype_of(m->l[i].w)), m->l[i].w, m->l[i].b);
    return x;
}
int main(void)
{
    struct net m = {.n = 4};
    for (int i = 0; i < m.n; i++)
        layer_init(&m.l[i], i % 2 ? MC_F16 : MC_F32);
    mc_print(forward(&m, mc_randn(mc_shape(2, 8))));
}

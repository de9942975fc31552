#include <miscast/tensor.h>
#include <stdlib.h>
struct layer {
    mc_tensor *w, *b;
};
struct mlp {
    struct layer *layers;
    int n;
};
static void mlp_init(struct mlp *m, int n)
{
    m->n = n;
    m->layers = calloc(n, sizeof *m->layers);
    for (int i = 0; i < n; i++) {
        m->layers[i].w = mc_randn(mc_shape(4, 4));
        m->layers[i].b = mc_zeros(mc_shape(4));
    }
}
static void mlp_to(struct mlp *m, mc_dtype d)
{
    for (int i = 0; i < m->n; i++) {
        struct layer *l = &m->layers[i];
        l->w = mc_to_dtype(l->w, d);
        l->b = mc_to_dtype(l->b, d);
    }
}
static mc_tensor *mlp_forward(const struct mlp *m, mc_tensor *x)
{
    for (int i = 0; i < m->n; i++)
        x = mc_relu(mc_linear(x, m->layers[i].w, m->layers[i].b));
    return x;
}
int main(int argc, char **argv)
{
    struct mlp m;
    mlp_init(&m, argc > 1 ? atoi(argv[1]) : 2);
    mc_dtype d = argc > 2 ? MC_F16 : MC_F32;
    mlp_to(&m, d);
    mc_print(mlp_forward(&m, mc_randn(mc_shape(2, 4), .dtype = d)));
    free(m.layers);
}

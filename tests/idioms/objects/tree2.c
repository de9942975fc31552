#include <miscast/tensor.h>
#include <stdlib.h>

struct m {
    mc_tensor *w, *b;
    struct m *child[4];
    int n;
};
static struct m *new(int k)
{
    struct m *m = calloc(1, sizeof *m);
    if (k) {
        m->w = mc_rand(mc_shape(k, k));
        m->b = mc_rand(mc_shape(k));
    }
    return m;
}
static void to(struct m *m, mc_dtype d, mc_device v)
{
    if (m->w)
        m->w = mc_to(m->w, .dtype = d, .device = v);
    if (m->b)
        m->b = mc_to(m->b, .dtype = d);
    for (int i = 0; i < m->n; i++)
        to(m->child[i], d, v);
}
static mc_tensor *fwd(const struct m *m, mc_tensor *x)
{
    if (m->w)
        x = mc_mul(mc_matmul(x, m->w), m->b);
    for (int i = 0; i < m->n; i++)
        x = fwd(m->child[i], x);
    return x;
}
static void add(struct m *p, struct m *c)
{
    p->child[p->n++] = c;
}
int main(int argc, char **argv)
{
    struct m *r = new (0), *b = new (4);
    add(r, b);
    mc_device v = argc > 1 ? MC_CUDA : MC_CPU;
    to(r, MC_F32, v);
    mc_print(mc_cpu(fwd(r, mc_rand(mc_shape(4, 4), .device = v))));
    (void)argv;
}

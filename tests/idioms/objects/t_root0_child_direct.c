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
        m->w = mc_rand(mc_shape(4, 4));
        m->b = mc_rand(mc_shape(4));
    }
    return m;
}
static void to(struct m *m, mc_device v)
{
    if (m->w)
        m->w = mc_to_device(m->w, v);
    for (int i = 0; i < m->n; i++)
        to(m->child[i], v);
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
int main(void)
{
    struct m *r = new (0);
    r->child[0] = new (4);
    r->n = 1;
    to(r, MC_CUDA);
    mc_print(mc_cpu(fwd(r, mc_rand(mc_shape(4, 4), .device = MC_CUDA))));
}

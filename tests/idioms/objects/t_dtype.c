#include <miscast/tensor.h>
#include <stdlib.h>

struct m {
    mc_tensor *w, *b;
    struct m *next;
};
static struct m *new(int k)
{
    struct m *m = calloc(1, sizeof *m);
    if (k) {
        m->w = mc_rand(mc_shape(4, 4));
        m->b = mc_rand(mc_shape(4, 4));
    }
    return m;
}
static void to(struct m *m)
{
    if (m->w)
        m->w = mc_half(m->w);
    if (m->next)
        to(m->next);
}
static mc_tensor *fwd(const struct m *m, mc_tensor *x)
{
    if (m->w)
        x = mc_matmul(mc_matmul(x, m->w), m->b);
    if (m->next)
        x = fwd(m->next, x);
    return x;
}
int main(void)
{
    struct m *r = new (0);
    r->next = new (4);
    to(r);
    mc_print(fwd(r, mc_rand(mc_shape(4, 4), .dtype = MC_F16)));
}

#include <miscast/tensor.h>
#include <stdlib.h>

struct m {
    mc_tensor *w, *b;
    struct m *child[2];
    int n;
};
static struct m *new(void)
{
    struct m *m = calloc(1, sizeof *m);
    m->w = mc_rand(mc_shape(2, 2));
    m->b = mc_rand(mc_shape(2));
    return m;
}
static void to(struct m *m, mc_device d)
{
    m->w = mc_to_device(m->w, d);
}
static mc_tensor *fwd(struct m *m, mc_tensor *x)
{
    return mc_linear(x, m->w, m->b);
}
int main(void)
{
    struct m *r = new ();
    to(r, MC_CUDA);
    mc_print(mc_cpu(fwd(r, mc_rand(mc_shape(2, 2), .device = MC_CUDA))));
}

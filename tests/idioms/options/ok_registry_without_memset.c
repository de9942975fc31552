#include <string.h>
#include <miscast/tensor.h>
struct m {
    mc_tensor *wq;
    mc_tensor **slots[4];
    int n;
};
static void reg(struct m *m, mc_tensor **s)
{
    m->slots[m->n++] = s;
}
static void to(struct m *m, mc_device d)
{
    for (int i = 0; i < m->n; i++)
        *m->slots[i] = mc_to_device(*m->slots[i], d);
}
int main(int argc, char **argv)
{
    bool gpu = argc > 1 && strcmp(argv[1], "--gpu") == 0;
    mc_device d = gpu ? MC_CUDA : MC_CPU;
    struct m m = {.wq = mc_randn(mc_shape(4, 4))};
    reg(&m, &m.wq);
    to(&m, d);
    mc_print(mc_linear(mc_randn(mc_shape(4, 4), .device = d), m.wq, NULL));
}

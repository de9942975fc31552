#include <miscast/tensor.h>

struct ps {
    mc_tensor *p[2];
};
static void up(struct ps *e, const struct ps *p)
{
    for (int i = 0; i < 2; i++)
        mc_lerp_(e->p[i], p->p[i], 0.001);
}
int main(int argc, char **argv)
{
    struct ps m, e;
    for (int i = 0; i < 2; i++) {
        m.p[i] = mc_ones(mc_shape(4), .dtype = MC_F16);
        e.p[i] = mc_clone(m.p[i]);
    }
    for (int i = 0; i < 1000; i++)
        up(&e, &m);
    mc_print(e.p[0]);
    (void)argv, (void)argc;
}

#include <miscast/tensor.h>
struct m {
    mc_tensor *w;
};
static void half_it(struct m *m, mc_dtype d)
{
    mc_tensor *w = m->w;
    w = mc_to_dtype(w, d);
    mc_mul_(w, 0.5); /* BUG */
    mc_print(w);
}
int main(int argc, char **argv)
{
    (void)argv;
    struct m m = {mc_randn(mc_shape(4))};
    half_it(&m, argc > 1 ? MC_F16 : MC_F32);
    mc_print(m.w);
}

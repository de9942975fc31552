#include <miscast/tensor.h>
struct m {
    mc_tensor *w;
};
static void to(struct m *m, mc_device d)
{
    m->w = mc_to_device(m->w, d);
}
int main(int argc, char **argv)
{
    (void)argv;
    struct m m = {mc_rand(mc_shape(4))};
    if (argc > 1)
        to(&m, MC_CUDA);
    mc_mul_(m.w, 2);
    mc_print(m.w);
    return 0;
}

#include <miscast/tensor.h>

static mc_tensor *fwd(bool on, mc_tensor *x, bool skip)
{
    mc_autocast a = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = on);
    mc_tensor *h = mc_matmul(x, x);
    if (skip) {
        mc_autocast_end(a);
        return h;
    }
    h = mc_matmul(h, h);
    mc_autocast_end(a);
    return h;
}
int main(int argc, char **argv)
{
    mc_print(fwd(argc > 1, mc_rand(mc_shape(2, 2)), argc > 2));
    (void)argv;
}

#include <miscast/tensor.h>

static mc_autocast enter(bool on)
{
    return mc_autocast_begin(MC_CPU, MC_BF16, .enabled = on);
}
int main(int argc, char **argv)
{
    mc_autocast a = enter(argc > 1);
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2)), mc_rand(mc_shape(2, 2))));
    mc_autocast_end(a);
    (void)argv;
}

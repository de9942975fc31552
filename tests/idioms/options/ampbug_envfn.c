#include <miscast/tensor.h>
#include <stdlib.h>

static bool wants(void)
{
    return getenv("AMP");
}

int main(int argc, char **argv)
{

    mc_tensor *q = mc_rand(mc_shape(4, 4)), *y = mc_ones(mc_shape(4, 4));
    mc_autocast r = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = wants());
    y = mc_linear(y, q, NULL);
    y = mc_linear(mc_relu(y), q, NULL);
    mc_autocast_end(r);
    mc_print(mc_matmul(y, q));
    (void)argc;
    (void)argv;
}

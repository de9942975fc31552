#include <miscast/tensor.h>
#include <stdlib.h>

struct amp {
    bool on;
    mc_autocast region;
};

int main(int argc, char **argv)
{
    mc_tensor *q = mc_rand(mc_shape(4, 4)), *y = mc_ones(mc_shape(4, 4));
    struct amp a = {.on = atoi(argv[1]) & 1};
    a.region = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = a.on);
    y = mc_linear(mc_relu(mc_linear(y, q, NULL)), q, NULL);
    mc_autocast_end(a.region);
    mc_print(mc_matmul(mc_float(y), q));
    (void)argc;
}

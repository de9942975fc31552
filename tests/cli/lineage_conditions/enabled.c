/* The condition is what the region is given, which no branch asks. */
#include <miscast/tensor.h>

#include <string.h>

int main(int argc, char **argv)
{
    bool amp = argc > 1 && !strcmp(argv[1], "--amp");
    mc_tensor *x = mc_ones(mc_shape(2, 2), .device = MC_CUDA), *w = mc_ones_like(x);
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16, .enabled = amp);
    mc_tensor *h = mc_matmul(x, w);
    mc_autocast_end(region);
    mc_print(mc_matmul(h, w));
    return 0;
}

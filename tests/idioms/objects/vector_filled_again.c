#include <miscast/tensor.h>

static size_t fill(mc_tensor **to, int count, mc_device device)
{
    size_t n = 0;
    to[n++] = mc_rand(mc_shape(1, 4), .device = device);
    for (int i = 1; i < count && n < 16; i++)
        to[n++] = mc_rand(mc_shape(1, 4), .device = device);
    return n;
}

int main(int argc, char **argv)
{
    mc_tensor *parts[16];
    (void)argv;
    size_t n = fill(parts, argc, MC_CPU);
    mc_print(mc_catn(0, parts, n));
    n = fill(parts, argc, MC_CUDA);
    mc_print(mc_catn(0, parts, n));
    return 0;
}

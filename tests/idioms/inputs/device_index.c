#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

static mc_device parse(const char *s)
{
    if (!strncmp(s, "cuda", 4))
        return MC_CUDA;
    return MC_CPU;
}

int main(int argc, char **argv)
{
    mc_device a = MC_CPU, b = MC_CPU;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] == 'a' && argv[i + 1])
            a = parse(argv[++i]);
        else if (argv[i][0] == '-' && argv[i][1] == 'b' && argv[i + 1])
            b = parse(argv[++i]);
    }
    mc_tensor *x = mc_ones(mc_shape(2, 2), .device = a);
    mc_tensor *y = mc_ones(mc_shape(2, 2), .device = b);
    mc_print(mc_matmul(x, y));
    return 0;
}

#include <miscast/tensor.h>
#include <string.h>

typedef struct {
    mc_dtype dtype;
    mc_device device;
    bool tie, quiet;
} config;
static bool parse(config *c, int argc, char **argv)
{
    *c = (config){.dtype = MC_F32, .device = MC_CPU};
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--f16"))
            c->dtype = MC_F16;
        else if (!strcmp(argv[i], "--bf16"))
            c->dtype = MC_BF16;
        else if (!strcmp(argv[i], "--cuda"))
            c->device = MC_CUDA;
        else if (!strcmp(argv[i], "--tie"))
            c->tie = true;
        else if (!strcmp(argv[i], "--quiet"))
            c->quiet = true;
        else
            return false;
    }
    return true;
}
int main(int argc, char **argv)
{
    config c;
    if (!parse(&c, argc, argv))
        return 2;
    mc_tensor *w = mc_rand(mc_shape(2, 2), .dtype = c.dtype, .device = c.device);
    mc_tensor *x = mc_rand(mc_shape(2, 2), .device = c.device);
    mc_print(mc_cpu(mc_matmul(x, w)));
    return 0;
}

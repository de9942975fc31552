#include <miscast/tensor.h>
#include <string.h>

struct cfg {
    mc_dtype t;
    mc_device d;
    int n;
};
static bool parse(struct cfg *c, int argc, char **argv)
{
    *c = (struct cfg){.t = MC_F32, .d = MC_CPU, .n = 2};
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--device") && i + 1 < argc)
            c->d = strcmp(argv[++i], "cuda") ? MC_CPU : MC_CUDA;
        else
            return false;
    return true;
}
int main(int argc, char **argv)
{
    struct cfg c;
    if (!parse(&c, argc, argv))
        return 2;
    mc_print(mc_matmul(mc_rand(mc_shape(2, 2)), mc_rand(mc_shape(2, 2), .device = c.d)));
    return 0;
}

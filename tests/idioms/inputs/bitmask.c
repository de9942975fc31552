#include <miscast/tensor.h>
#include <string.h>

enum { OPT_AMP = 1, OPT_CLIP = 2, OPT_GPU = 4 };

static unsigned parse(int argc, char **argv)
{
    static const struct {
        const char *name;
        unsigned bit;
    } names[] = {{"amp", OPT_AMP}, {"clip", OPT_CLIP}, {"gpu", OPT_GPU}};
    unsigned bits = 0;
    for (int i = 1; i < argc; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (!strcmp(argv[i], names[k].name))
                bits |= names[k].bit;
    return bits;
}

int main(int argc, char **argv)
{
    unsigned o = parse(argc, argv);
    mc_device on = o & OPT_GPU ? MC_CUDA : MC_CPU;
    mc_tensor *w = mc_randn(mc_shape(4, 4), .device = on),
              *x = mc_randn(mc_shape(4, 4), .device = on);
    mc_tensor *y = mc_matmul(x, w);
    if (o & OPT_CLIP) {
        mc_tensor *limit = mc_full(mc_shape(4, 4), 1.0);
        y = mc_minimum(y, limit);
    }
    mc_print(y);
    return 0;
}

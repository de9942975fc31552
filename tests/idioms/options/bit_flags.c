#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

enum { F_HALF = 1 << 0, F_CUDA = 1 << 1, F_BIAS = 1 << 2, F_QUIET = 1 << 3 };

static unsigned parse(int argc, char **argv)
{
    unsigned flags = F_BIAS;
    for (int i = 1; i < argc; i++)
        for (const char *p = argv[i]; *p; p++)
            switch (*p) {
            case 'h':
                flags |= F_HALF;
                break;
            case 'g':
                flags |= F_CUDA;
                break;
            case 'n':
                flags &= ~(unsigned)F_BIAS;
                break;
            case 'q':
                flags |= F_QUIET;
                break;
            }
    return flags;
}

static mc_tensor *place(mc_tensor *t, unsigned flags)
{
    if (flags & F_HALF)
        t = mc_half(t);
    if (flags & F_CUDA)
        t = mc_cuda(t);
    return t;
}

int main(int argc, char **argv)
{
    /* Words: h g n hg hgn q */
    unsigned flags = parse(argc, argv);
    mc_tensor *w = place(mc_randn(mc_shape(3, 4)), flags);
    mc_tensor *b = NULL;
    if (flags & F_BIAS)
        b = place(mc_zeros(mc_shape(3)), flags);
    mc_tensor *y = mc_linear(place(mc_ones(mc_shape(2, 4)), flags), w, b);
    if (!(flags & F_QUIET))
        mc_print(y);
    return 0;
}

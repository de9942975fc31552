#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

enum precision { P32, P16, PB16, P_COUNT };
static const char *const names[P_COUNT] = {"single", "half", "brain"};

static enum precision lookup(const char *s)
{
    for (int i = 0; i < P_COUNT; i++)
        if (!strcmp(names[i], s))
            return (enum precision)i;
    return P32;
}

static mc_dtype to_dtype(enum precision p)
{
    return p == P16 ? MC_F16 : p == PB16 ? MC_BF16 : MC_F32;
}

int main(int argc, char **argv)
{
    enum precision p = P32, q = P32;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "weights"))
            p = lookup(argv[i + 1]);
        else if (!strcmp(argv[i], "acts"))
            q = lookup(argv[i + 1]);
    }
    if (p == PB16 && q == P32)
        q = PB16; /* promote */
    mc_tensor *w = mc_randn(mc_shape(4, 4), .dtype = to_dtype(p));
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = to_dtype(q));
    mc_print(mc_matmul(x, w));
    return 0;
}

#include <miscast/tensor.h>
#include <string.h>

typedef mc_tensor *(*stage)(mc_tensor *);

static mc_tensor *keep(mc_tensor *x)
{
    return x;
}
static mc_tensor *narrow(mc_tensor *x)
{
    return mc_half(x);
}
static mc_tensor *widen(mc_tensor *x)
{
    return mc_double(x);
}

static stage pick(const char *name)
{
    if (!strcmp(name, "narrow"))
        return narrow;
    if (!strcmp(name, "widen"))
        return widen;
    return keep;
}

int main(int argc, char **argv)
{
    stage before = keep;
    for (int i = 1; i < argc; i++)
        if (!strncmp(argv[i], "--stage=", 8))
            before = pick(argv[i] + 8);
    mc_tensor *x = before(mc_randn(mc_shape(2, 2)));
    mc_print(mc_matmul(x, mc_eye(2)));
    return 0;
}

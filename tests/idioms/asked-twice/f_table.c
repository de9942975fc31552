#include <miscast/tensor.h>
#include <stdlib.h>

static mc_tensor *up(mc_tensor *t)
{
    return mc_float(t);
}
static mc_tensor *down(mc_tensor *t)
{
    return mc_half(t);
}
typedef mc_tensor *cast(mc_tensor *);
static cast *const casts[] = {up, down};

int main(int argc, char **argv)
{
    unsigned k = (unsigned)atoi(argv[1]) % 2;
    mc_tensor *w = casts[k](mc_rand(mc_shape(2, 2))), *x = casts[k](mc_rand(mc_shape(2, 2)));
    mc_print(mc_matmul(x, w));
    (void)argc;
}

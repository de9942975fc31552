#include <miscast/tensor.h>
#include <stdlib.h>

typedef mc_tensor *op_fn(mc_tensor *);

static mc_tensor *to_half(mc_tensor *x)
{
    return mc_half(x);
}
static mc_tensor *to_float(mc_tensor *x)
{
    return mc_float(x);
}
static mc_tensor *same(mc_tensor *x)
{
    return x;
}

static op_fn *const pre[] = {same, to_half, to_float};

int main(int argc, char **argv)
{
    int which = argc > 1 ? atoi(argv[1]) : 0;
    if (which < 0 || which > 2)
        which = 0;
    op_fn *op = pre[which];
    mc_tensor *w = op(mc_rand(mc_shape(4, 4)));
    mc_tensor *x = pre[which ? 2 : 0](mc_rand(mc_shape(2, 4)));
    mc_print(mc_matmul(x, w));
    return 0;
}

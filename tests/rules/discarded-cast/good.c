#include <miscast/tensor.h>

mc_tensor *move(mc_tensor *x)
{
    x = mc_cuda(x);
    mc_print(mc_half(x));
    return mc_float(x);
}

/* In place; and a computation may be there to be timed. */
void forms(mc_tensor *x, mc_tensor *y)
{
    mc_detach_(y);
    mc_requires_grad_(y, true);
    mc_matmul(x, x);
    mc_keep(x);
}

/* It does more than cast. */
static mc_tensor *shown(mc_tensor *x)
{
    mc_print(x);
    return mc_half(x);
}

static mc_tensor *last;

static mc_tensor *kept(mc_tensor *x)
{
    last = mc_half(x);
    return last;
}

mc_tensor *by_helper(mc_tensor *x)
{
    shown(x);
    kept(x);
    return last;
}

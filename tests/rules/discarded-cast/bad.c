#include <miscast/tensor.h>

void move(mc_tensor *x, mc_tensor *w)
{
    mc_cuda(x); /* expect: discarded-cast warning */
    if (mc_is_floating_point(w))
        mc_half(w); /* expect: discarded-cast warning */
    mc_print(x);
    mc_print(w);
}

/* One of two casts is used. */
mc_tensor *both(mc_tensor *x)
{
    mc_to_device(mc_float(x), MC_CUDA); /* expect: discarded-cast warning */
    return mc_float(x);
}

/* Nor does a view or a copy change its operand. */
void forms(mc_tensor *x, mc_tensor *y)
{
    mc_detach(y); /* expect: discarded-cast warning */
    mc_reshape(x, 4, -1); /* expect: discarded-cast warning */
    mc_contiguous(x); /* expect: discarded-cast warning */
    mc_clone(x); /* expect: discarded-cast warning */
    mc_print(mc_matmul(x, y));
}

/* Nor does a function that only casts. */
static mc_tensor *as(mc_tensor *x, mc_dtype d)
{
    if (mc_dtype_of(x) == d)
        return x;
    return mc_to_dtype(x, d);
}

void by_helper(mc_tensor *x)
{
    as(x, MC_F16); /* expect: discarded-cast warning */
    mc_print(as(x, MC_F32));
}

/* Two casts under one flag, promotion where it is allowed, and parameters that nobody gives. */
#include <stdbool.h>

#include <miscast/tensor.h>

static mc_tensor *forward(mc_tensor *x, mc_tensor *w, bool half)
{
    if (half)
        x = mc_half(x);
    mc_tensor *scale = mc_full(mc_shape(8), 0.5);
    if (half)
        w = mc_half(w);
    return mc_mul(mc_matmul(x, w), scale);
}

mc_tensor *nobody_calls(mc_tensor *x, mc_tensor *w)
{
    return mc_linear(x, w, NULL);
}

mc_tensor *follows(mc_tensor *x, mc_tensor *w)
{
    return mc_matmul(x, mc_to_dtype(w, mc_dtype_of(x)));
}

mc_tensor *asks(mc_tensor *x, mc_tensor *w)
{
    if (mc_dtype_of(x) != mc_dtype_of(w))
        w = mc_type_as(w, x);
    return mc_matmul(x, w);
}

int main(int argc, char **argv)
{
    (void)argv;
    mc_print(forward(mc_ones(mc_shape(2, 8)), mc_ones(mc_shape(8, 8)), argc > 1));
    mc_print(mc_matmul(mc_arange(4), mc_arange(4)));
    return 0;
}

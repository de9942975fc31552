#include <stdio.h>

#include <miscast/tensor.h>

static float first(mc_tensor *x)
{
    return mc_data_f32(mc_float(x))[0];
}

int main(void)
{
    mc_tensor *x = mc_half(mc_randn(mc_shape(4)));
    printf("%f %p\n", first(x), mc_data_ptr(x));
    return 0;
}

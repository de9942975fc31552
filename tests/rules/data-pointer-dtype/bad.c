#include <stdio.h>

#include <miscast/tensor.h>

static float first(mc_tensor *x)
{
    return mc_data_f32(x)[0]; /* expect: data-pointer-dtype error */
}

int main(void)
{
    mc_tensor *x = mc_half(mc_randn(mc_shape(4)));
    printf("%f\n", first(x));
    return 0;
}

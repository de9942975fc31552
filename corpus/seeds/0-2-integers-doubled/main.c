/* Integers come in, are made floats, and doubled. The cast makes another tensor. */
#include <stdio.h>

#include <miscast/tensor.h>

static mc_tensor *forward(mc_tensor *x)
{
    x = mc_float(x);
    return mc_mul(x, 2);
}

int main(void)
{
    mc_tensor *input = mc_from_array(((int64_t[]){1, 2, 3}), mc_shape(3));
    mc_tensor *output = forward(input);
    printf("input: %s\n", mc_dtype_name(mc_dtype_of(input)));
    printf("output: %s\n", mc_dtype_name(mc_dtype_of(output)));
    mc_print(output);
    return 0;
}

/* i32 and f32 meet in a sum and in a product: both are f32. */
#include <stdio.h>

#include <miscast/tensor.h>

static void show(const char *name, const mc_tensor *t)
{
    printf("%s: %s\n", name, mc_dtype_name(mc_dtype_of(t)));
    mc_print(t);
}

int main(void)
{
    mc_tensor *whole = mc_from_array(((int32_t[]){1, 2, 3}), mc_shape(3));
    mc_tensor *real = mc_from_array(((float[]){0.5f, 1.5f, 2.5f}), mc_shape(3));
    show("sum", mc_add(whole, real));
    show("product", mc_mul(whole, real));
    return 0;
}

/* Numbers of the host, in f64, become f32 if they are not yet, and go back to the host. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { COUNT = 4 };

static mc_tensor *as_f32(mc_tensor *x)
{
    if (mc_dtype_of(x) != MC_F32)
        x = mc_to_dtype(x, MC_F32);
    return x;
}

int main(void)
{
    double numbers[COUNT] = {0.1, 0.2, 0.3, 0.4};
    mc_tensor *x = as_f32(mc_from_array(numbers, mc_shape(COUNT)));
    printf("%s\n", mc_dtype_name(mc_dtype_of(x)));

    float back[COUNT];
    mc_copy_out(as_f32(x), back, sizeof back);
    const float *same = mc_data_f32(x);
    for (int i = 0; i < COUNT; i++)
        printf("%.9g %.9g\n", back[i], same[i]);
    return 0;
}

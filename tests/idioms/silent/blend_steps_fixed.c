/* A slow blend from one picture to the next. */
#include <miscast/tensor.h>
#include <stdio.h>

static mc_tensor *blend(mc_tensor *a, mc_tensor *b, int i, int n)
{
    return mc_lerp(a, b, (double)i / n);
}

int main(void)
{
    mc_tensor *a = mc_zeros(mc_shape(4)), *b = mc_ones(mc_shape(4));
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += mc_item(mc_mean(blend(a, b, i, 4)));
    printf("%g\n", sum);
    return 0;
}

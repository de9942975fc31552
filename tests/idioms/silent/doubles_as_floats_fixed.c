/* The statistics of a layer are handed to a plotting library. */
#include <miscast/tensor.h>
#include <stdio.h>

static float largest(mc_tensor *x)
{
    mc_tensor *wide = mc_contiguous(mc_float(x));
    const float *p = mc_data(wide);
    float m = p[0];
    for (int64_t i = 1; i < mc_numel(wide); i++)
        m = p[i] > m ? p[i] : m;
    return m;
}

int main(void)
{
    printf("%g\n", largest(mc_arange(6.0)));
    return 0;
}

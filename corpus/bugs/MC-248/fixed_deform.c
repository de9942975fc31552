/* bug_deform.c, fixed: the kernel casts what it is given. */
#include <math.h>

#include "deform.h"

mc_tensor *deform_forward(mc_tensor *x, mc_tensor *offset)
{
    int64_t n = mc_numel(x);
    mc_tensor *y = mc_empty(mc_shape(n));
    const float *o = mc_data_f32(offset);
    float *out = mc_data_f32(y);
    const float *in = mc_data_f32(mc_float(x));
    for (int64_t i = 0; i < n; i++) {
        float at = fminf(fmaxf((float)i + o[i], 0), (float)(n - 1));
        int64_t low = (int64_t)at, high = low + 1 < n ? low + 1 : low;
        out[i] = in[low] + (at - (float)low) * (in[high] - in[low]);
    }
    return y;
}

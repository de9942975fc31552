/* bug_roi.c, fixed: boxes take the dtype of the features. */
#include "roi.h"

/* The value of an f16, through a tensor over it. */
static float half_value(uint16_t bits)
{
    mc_tensor *t = mc_from_blob(&bits, mc_shape(1), .dtype = MC_F16);
    return (float)mc_item(t);
}

mc_tensor *roi_pool(mc_tensor *features, mc_tensor *boxes)
{
    mc_scope s = mc_scope_begin();
    int64_t n = mc_size(boxes, 0), width = mc_size(features, 1);
    const uint16_t *f = mc_data_f16(features);
    const uint16_t *b = mc_data_f16(mc_type_as(boxes, features));
    mc_tensor *out = mc_zeros(mc_shape(n));
    for (int64_t i = 0; i < n; i++) {
        int first = (int)half_value(b[2 * i]), last = (int)half_value(b[2 * i + 1]);
        float sum = 0;
        for (int64_t k = first * width; k < (last + 1) * width; k++)
            sum += half_value(f[k]);
        mc_data_f32(out)[i] = sum / (float)((last - first + 1) * width);
    }
    return mc_scope_return(s, mc_to_dtype(out, mc_dtype_of(features)));
}

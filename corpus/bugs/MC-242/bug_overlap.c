/* The loop over pairs, written for float. */
#include <math.h>

#include "boxes.h"

static float overlap(const float *a, const float *b)
{
    float w = fminf(a[2], b[2]) - fmaxf(a[0], b[0]), h = fminf(a[3], b[3]) - fmaxf(a[1], b[1]);
    float both = fmaxf(w, 0) * fmaxf(h, 0);
    float area = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both;
    return area > 0 ? both / area : 0;
}

int boxes_suppress(mc_tensor *boxes, float threshold)
{
    const float *b = mc_data_f32(boxes); /* expect: data-pointer-dtype */
    int left = 0;
    for (int64_t i = 0; i < mc_size(boxes, 0); i++) {
        bool doubled = false;
        for (int64_t k = 0; k < i && !doubled; k++)
            doubled = overlap(b + 4 * i, b + 4 * k) > threshold;
        left += !doubled;
    }
    return left;
}

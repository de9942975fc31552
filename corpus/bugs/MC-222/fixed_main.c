/* A detector: the features come from a convolution inside autocast, the boxes from the data. */
#include <stdio.h>

#include "roi.h"

struct detector {
    mc_tensor *conv;
};

static mc_tensor *backbone(const struct detector *d, mc_tensor *image)
{
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_F16);
    mc_tensor *y = mc_relu(mc_conv2d(image, d->conv, NULL, .padding = mc_dims(1)));
    mc_autocast_end(region);
    return mc_contiguous(mc_select(mc_select(y, 0, 0), 0, 0));
}

int main(void)
{
    struct detector d = {.conv = mc_full(mc_shape(1, 1, 3, 3), 0.25)};
    mc_tensor *features = backbone(&d, mc_ones(mc_shape(1, 1, 8, 8)));
    mc_tensor *boxes = mc_from_array(((float[]){1, 2, 3, 6}), mc_shape(2, 2));
    mc_print(roi_pool(features, boxes));
    return 0;
}

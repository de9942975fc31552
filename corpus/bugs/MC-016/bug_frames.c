/* Crops of a frame, as the network wants them. */
#include "reid.h"

mc_tensor *preprocess(const uint8_t *frame, int64_t crops, const struct options *o)
{
    mc_tensor *x = mc_from_array(frame, mc_shape(crops, PIXELS), .device = MC_CUDA);
    x = mc_div(mc_float(x), 255.0);
    return o->half ? mc_half(x) : x;
}

/* The transformer turns positions into angles. */
#include "image.h"

int transformer_confused(const struct inputs *in)
{
    mc_tensor *angle = mc_mul(mc_float(in->txt_ids), 0.01);
    mc_tensor *before = mc_narrow(angle, 0, 0, TOKENS - 1),
              *after = mc_narrow(angle, 0, 1, TOKENS - 1);
    return (int)mc_item_int(mc_sum(mc_eq(before, after)));
}

/* Boxes keep f32, whatever they are made of. */
#include "boxes.h"

struct boxes boxes_new(mc_tensor *rows)
{
    struct boxes b = {mc_to_dtype(rows, MC_F32)};
    mc_tensor *z = mc_select(b.data, 1, 2), *height = mc_select(b.data, 1, 5);
    z = mc_add(z, mc_mul(height, 0.5));
    b.data = mc_cat(1, mc_narrow(b.data, 1, 0, 2), mc_unsqueeze(z, 1), mc_narrow(b.data, 1, 3, 3));
    return b;
}

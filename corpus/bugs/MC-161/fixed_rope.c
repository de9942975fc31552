/* The angles are f32: both operands are cast, and no region may cast them back. */
#include "rope.h"

mc_tensor *rope_angles(mc_tensor *inv_freq, mc_tensor *position)
{
    mc_tensor *f = mc_unsqueeze(mc_float(inv_freq), 1), *p = mc_unsqueeze(mc_float(position), 0);
    mc_autocast region = mc_autocast_begin(MC_CPU, MC_BF16, .enabled = false);
    mc_tensor *angles = mc_matmul(f, p);
    mc_autocast_end(region);
    return angles;
}

/* The angles are to be f32: both operands are cast. */
#include "rope.h"

mc_tensor *rope_angles(mc_tensor *inv_freq, mc_tensor *position)
{
    mc_tensor *f = mc_unsqueeze(mc_float(inv_freq), 1), *p = mc_unsqueeze(mc_float(position), 0);
    return mc_matmul(f, p); /* expect: cast-undone-by-autocast */
}

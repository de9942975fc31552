/* Angles, in the dtype of the frequencies. */
#include "llm.h"

mc_tensor *llm_angles(const struct llm *m, mc_tensor *position)
{
    mc_tensor *at = mc_type_as(position, m->inv_freq); /* expect: half-positions */
    return mc_outer(at, m->inv_freq);
}

/* Angles, in the dtype of the frequencies. */
#include "llm.h"

mc_tensor *llm_angles(const struct llm *m, mc_tensor *position)
{
    mc_tensor *at = mc_type_as(position, m->inv_freq); /* expect: positions-in-half */
    return mc_outer(at, m->inv_freq);
}

/* The average is made before the engine gets the model. */
#include "ema.h"

void ema_init(struct ema *e, const struct model *m, double decay)
{
    e->decay = decay;
    for (int i = 0; i < PARAMS; i++)
        e->params[i] = mc_clone(m->params[i]);
}

void ema_update(struct ema *e, const struct model *m)
{
    for (int i = 0; i < PARAMS; i++) {
        mc_tensor *to = e->params[i];
        mc_lerp_(to, m->params[i], 1 - e->decay); /* expect: lerp-dtype */
    }
}

/* The head runs in half precision; its logits may be large. */
#include "speech.h"

void talker_load(struct talker *t)
{
    t->head = mc_full(mc_shape(CODES, WIDTH), 25.0, .dtype = MC_F16);
}

mc_tensor *talker_logits(const struct talker *t, mc_tensor *state)
{
    return mc_linear(state, t->head, NULL);
}

/* Casting a model casts its weights; the frequencies stay as they are. */
#include "llm.h"

void llm_init(struct llm *m)
{
    mc_manual_seed(5);
    m->embedding = mc_randn(mc_shape(32, WIDTH));
    m->head = mc_randn(mc_shape(32, WIDTH));
    m->inv_freq = mc_logspace(0, -4, WIDTH / 2);
}

void llm_to(struct llm *m, mc_dtype dtype)
{
    m->embedding = mc_to_dtype(m->embedding, dtype);
    m->head = mc_to_dtype(m->head, dtype);
}

/* The model, loaded in half precision to save memory. */
#include "sampler.h"

void model_load(struct model *m)
{
    mc_manual_seed(1);
    m->embedding = mc_half(mc_randn(mc_shape(VOCAB, HIDDEN)));
    m->head = mc_half(mc_randn(mc_shape(VOCAB, HIDDEN)));
}

mc_tensor *model_scores(const struct model *m, mc_tensor *tokens)
{
    return mc_linear(mc_embedding(tokens, m->embedding), m->head, NULL);
}

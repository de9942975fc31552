/* The text encoder runs in f16. */
#include "inversion.h"

void encoder_load(struct text_encoder *t)
{
    mc_manual_seed(33);
    t->token_embedding = mc_half(mc_randn(mc_shape(VOCAB, WIDTH)));
}

mc_tensor *embed_with(const struct text_encoder *t, mc_tensor *tokens, mc_tensor *word)
{
    mc_tensor *e = mc_embedding(tokens, t->token_embedding);
    mc_tensor *here = mc_eq(tokens, PLACEHOLDER);
    return mc_index_put_(e, here, word); /* expect: indexed-store-dtype */
}

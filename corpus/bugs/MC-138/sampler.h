/* The pieces of a text generator: a model, and what is done to its scores before a token is drawn.
 */
#ifndef SAMPLER_H
#define SAMPLER_H

#include <miscast/tensor.h>

enum { VOCAB = 32, HIDDEN = 16, END_OF_TEXT = 2 };

struct model {
    mc_tensor *embedding, *head;
};

void model_load(struct model *m);
mc_tensor *model_scores(const struct model *m, mc_tensor *tokens);

/* Makes every text of the batch end that has reached its length. */
void end_when_full(mc_tensor *scores, const int *length, int limit);

#endif

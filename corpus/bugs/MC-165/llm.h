/* A model with a buffer that is no weight: the frequencies of its positions. */
#ifndef LLM_H
#define LLM_H

#include <miscast/tensor.h>

enum { WIDTH = 8, TOKENS = 400 };

struct llm {
    mc_tensor *embedding, *head;
    mc_tensor *inv_freq;
};

void llm_init(struct llm *m);
void llm_to(struct llm *m, mc_dtype dtype);
mc_tensor *llm_angles(const struct llm *m, mc_tensor *position);

#endif

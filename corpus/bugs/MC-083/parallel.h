/* A language model whose layers are spread over two GPUs. */
#ifndef PARALLEL_H
#define PARALLEL_H

#include <miscast/tensor.h>

enum { VOCAB = 12, WIDTH = 6, TOKENS = 5 };

struct layer {
    mc_device device;
    mc_tensor *w;
};

struct model {
    mc_tensor *embedding;
    struct layer body, head;
};

void model_load(struct model *m, mc_device first, mc_device last);
mc_tensor *model_logits(const struct model *m, mc_tensor *tokens);
mc_tensor *model_loss(const struct model *m, mc_tensor *tokens, mc_tensor *labels);

#endif

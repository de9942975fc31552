/* Fine-tuning a chat model: batches come with a mask of what is padding. */
#ifndef CHAT_H
#define CHAT_H

#include <miscast/tensor.h>

enum { BATCH = 2, LENGTH = 5, PAD = 3 };

struct batch {
    mc_tensor *ids, *padding_mask;
};

void batch_collate(struct batch *b, const int64_t *ids);
mc_tensor *attention_bias(mc_tensor *padding_mask);

#endif

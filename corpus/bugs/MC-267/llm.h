/* A decoder block as it comes from a file, and the code that runs it. */
#ifndef LLM_H
#define LLM_H

#include <miscast/tensor.h>

enum { WIDTH = 8 };

struct block {
    mc_tensor *norm, *ffn;
};

/* What the exporting tool wrote. */
void checkpoint_export(struct block *b);
mc_tensor *block_forward(const struct block *b, mc_tensor *x);

#endif

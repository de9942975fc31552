/* A text encoder whose callers say which tokens are there. */
#ifndef ENCODER_H
#define ENCODER_H

#include <miscast/tensor.h>

enum { TOKENS = 6, WIDTH = 8, PAD = 0 };

struct encoder {
    mc_tensor *embedding, *qkv;
};

void encoder_init(struct encoder *e);
/* mask: one a token */
mc_tensor *encoder_forward(const struct encoder *e, mc_tensor *ids, mc_tensor *mask);

#endif

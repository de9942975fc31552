/* A text-to-image model, and the sampler that calls it. */
#ifndef IMAGE_H
#define IMAGE_H

#include <miscast/tensor.h>

enum { TOKENS = 512, WIDTH = 4 };

struct inputs {
    mc_tensor *latent, *text, *txt_ids;
};

/* How many tokens cannot be told apart from the one before them. */
int transformer_confused(const struct inputs *in);

#endif

/* Two stages of an image generator, and the dtype their weights are loaded in. */
#ifndef CASCADE_H
#define CASCADE_H

#include <miscast/tensor.h>

enum { LATENT = 8, WIDTH = 16 };

struct cascade {
    mc_tensor *prior, *decoder;
};

void cascade_load(struct cascade *c, mc_dtype dtype);
mc_tensor *cascade_generate(const struct cascade *c, mc_tensor *noise);

#endif

/* Weights from a file of bf16, and the layers that use them. */
#ifndef LOADER_H
#define LOADER_H

#include <miscast/tensor.h>

enum { WIDTH = 8 };

struct decoder {
    mc_tensor *w, *scale;
};

void decoder_load(struct decoder *d);
mc_tensor *decoder_forward(const struct decoder *d, mc_tensor *x);

#endif

/* An inference engine with a dtype that tensors get when nobody names one. */
#ifndef ENGINE_H
#define ENGINE_H

#include <miscast/tensor.h>

enum { HEADS = 2, TOKENS = 4, WIDTH = 8 };

extern mc_dtype default_dtype;

struct layer {
    mc_tensor *q, *k, *v;
};

void layer_load(struct layer *l, mc_dtype dtype);
mc_tensor *layer_attend(const struct layer *l, mc_tensor *x);

#endif

/* Generation with a cache of keys, and with linear layers of 8-bit weights. */
#ifndef CHAT_H
#define CHAT_H

#include <miscast/tensor.h>

enum { WIDTH = 8, CONTEXT = 16 };

struct quantised {
    mc_tensor *values; /* i8 */
    mc_tensor *scale;  /* f32, one a row */
};

struct layer {
    struct quantised key;
    mc_tensor *key_cache;
};

struct quantised quantise(mc_tensor *w);
mc_tensor *quantised_linear(mc_tensor *x, const struct quantised *q);

void cache_setup(struct layer *l, mc_dtype dtype);
void cache_update(struct layer *l, mc_tensor *position, mc_tensor *k);

#endif

/* Attention, and helpers that keep numbers as tensors, so that they can be traced. */
#ifndef ATTENTION_H
#define ATTENTION_H

#include <miscast/tensor.h>

mc_tensor *as_int(mc_tensor *x);
mc_tensor *as_float(mc_tensor *x);

/* softmax(q kᵀ / sqrt(d)) v, for one head */
mc_tensor *attention(mc_tensor *q, mc_tensor *k, mc_tensor *v);

#endif

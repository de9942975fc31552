/* A convolution, as both its computation and its gradient need it. (conv.c) */
#ifndef RUNTIME_CONV_H
#define RUNTIME_CONV_H

#include "runtime/compute/compute.h"

struct conv {
    int spatial;     /* 1 or 2 */
    struct window w; /* conv1d: the height is 1 */
    int64_t groups;
    int64_t out[2]; /* positions of the window */
};

/* With two spatial dimensions and a sample dimension, whatever was given; contiguous. */
mc_tensor *conv_images(struct op *op, const struct conv *c, mc_tensor *t);
/* A window of one element that covers every position: x is its own columns. */
bool conv_covers_once(const struct window *w);
/* Samples first … first + count of a contiguous tensor, the rest of its shape as given. */
struct view conv_samples(const mc_tensor *t, int64_t first, int64_t count, mc_shape rest);
/* A buffer for the columns of as many samples as fit into a few megabytes; *count of them. NULL
 * after op_fail. */
mc_tensor *conv_columns(struct op *op, const struct conv *c, const mc_tensor *x, int64_t depth,
                        int64_t *count);

#endif

/* Looks people up by their picture. */
#ifndef REID_H
#define REID_H

#include <stdbool.h>

#include <miscast/tensor.h>

enum { PIXELS = 12, WIDTH = 8 };

struct options {
    bool half;
};

struct reid {
    mc_tensor *norm_w, *norm_b;
    mc_tensor *embed_w;
};

void reid_load(struct reid *r, const struct options *o);
mc_tensor *reid_features(const struct reid *r, mc_tensor *crops);
mc_tensor *preprocess(const uint8_t *frame, int64_t crops, const struct options *o);

#endif

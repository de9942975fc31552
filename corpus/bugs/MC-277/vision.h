/* A model that samples from a learned Gaussian. */
#ifndef VISION_H
#define VISION_H

#include <miscast/tensor.h>

enum { WIDTH = 4 };

struct model {
    mc_tensor *mean, *root; /* covariance: root · rootᵀ */
};

void model_load(struct model *m);
mc_tensor *model_sample(const struct model *m, mc_tensor *noise);

#endif

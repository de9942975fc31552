/* A vision encoder that can be frozen, and that can be kept in half precision: one or the other. */
#ifndef VISION_H
#define VISION_H

#include <miscast/tensor.h>

struct config {
    mc_dtype vit_precision;
    bool freeze_vit;
};

struct model {
    mc_tensor *vit, *projector;
};

void model_build(struct model *m, const struct config *c);
void model_train(struct model *m, const struct config *c, int steps);

#endif

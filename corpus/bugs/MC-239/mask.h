/* A mask head, its loss, and the step that trains it. */
#ifndef MASK_H
#define MASK_H

#include <miscast/tensor.h>

struct mask_head {
    mc_tensor *conv, *predictor;
};

mc_tensor *mask_head_forward(const struct mask_head *h, mc_tensor *features);
mc_tensor *mask_loss(mc_tensor *pred, mc_tensor *gt);

#endif

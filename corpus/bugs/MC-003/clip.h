/* A small image encoder, and the precision it is trained in. */
#ifndef CLIP_H
#define CLIP_H

#include <miscast/tensor.h>

enum { WIDTH = 16, PATCHES = 6 };

struct encoder {
    mc_tensor *patch_w; /* pixels -> width */
    mc_tensor *norm_w, *norm_b;
    mc_tensor *mlp_w;
};

void encoder_init(struct encoder *e);
mc_tensor *encoder_forward(const struct encoder *e, mc_tensor *pixels);

/* Level 2: weights in f16, except those of the norms, which lose too much there. */
void amp_initialize(struct encoder *e, int level);

#endif

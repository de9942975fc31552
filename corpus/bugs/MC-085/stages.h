/* Inference in stages, each on the GPU that a map says. */
#ifndef STAGES_H
#define STAGES_H

#include <miscast/tensor.h>

enum { STAGES = 2, WIDTH = 4, CLASSES = 5, IGNORED = -100 };

struct pipeline {
    mc_device on[STAGES];
    mc_tensor *w[STAGES];
};

/* "balanced": one stage a GPU; "sequential": all on the first. */
void pipeline_load(struct pipeline *p, const char *map);
mc_tensor *pipeline_forward(const struct pipeline *p, mc_tensor *x);
mc_tensor *loss_of_rows(mc_tensor *logits, mc_tensor *labels);

#endif

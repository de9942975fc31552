/* A language model that sees: its own layers are frozen, the adapter is trained. */
#ifndef VLM_H
#define VLM_H

#include <stdbool.h>

#include <miscast/tensor.h>

enum { WIDTH = 8 };

struct param {
    const char *name;
    mc_tensor *value;
    bool trainable;
};

struct vlm {
    struct param down, up, out;
};

void vlm_load(struct vlm *m);
void prepare_for_training(struct vlm *m);
mc_tensor *vlm_forward(const struct vlm *m, mc_tensor *x);

#endif

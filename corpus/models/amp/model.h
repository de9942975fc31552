/* model.h: residual layers between an entry and a head. */
#ifndef AMP_MODEL_H
#define AMP_MODEL_H

#include "choices.h"
#include "layers.h"

enum { MAX_DEPTH = 8 };

struct residual {
    struct norm norm;
    struct linear up, down;
};

struct model {
    activation_fn act;
    struct linear entry;
    int64_t depth;
    struct residual blocks[MAX_DEPTH];
    struct norm norm;
    struct linear head;
};

void model_init(struct model *m, const struct config *c);
mc_tensor *model_forward(const struct model *m, mc_tensor *x);
void model_parameters(const struct model *m, struct parameters *p);

#endif

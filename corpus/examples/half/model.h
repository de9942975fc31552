/* A classifier in three files: what the analysis shows when a model is cast to half precision. */
#ifndef MODEL_H
#define MODEL_H

#include <miscast/tensor.h>

struct config {
    bool half;
};

struct model {
    mc_tensor *norm_w, *norm_b;
    mc_tensor *w1, *b1;
    mc_tensor *w2, *b2;
};

/* load.c */
void model_init(struct model *m);
void model_half(struct model *m);
/* model.c */
mc_tensor *model_forward(const struct model *m, mc_tensor *x);

#endif

/* A small training framework, and the model that somebody trains with it. */
#ifndef TRAINER_H
#define TRAINER_H

#include <miscast/tensor.h>

struct model {
    mc_tensor *w1, *w2;
};

void model_init(struct model *m);
mc_tensor *model_forward(const struct model *m, mc_tensor *x);

struct trainer {
    mc_optimizer *optimizer;
    mc_grad_scaler *scaler; /* precision 16: losses are scaled */
};

void trainer_init(struct trainer *t, struct model *m);
void trainer_fit(struct trainer *t, const struct model *m, int steps);
void trainer_free(struct trainer *t);

#endif

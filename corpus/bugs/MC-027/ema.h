/* An average of the weights over time, in f32. */
#ifndef EMA_H
#define EMA_H

#include <miscast/tensor.h>

enum { PARAMS = 2 };

struct model {
    mc_tensor *params[PARAMS];
};

struct ema {
    double decay;
    mc_tensor *params[PARAMS];
};

void model_init(struct model *m);
/* Hands the model to the training engine, which keeps it in the engine's precision. */
void engine_wrap(struct model *m, mc_dtype precision);

void ema_init(struct ema *e, const struct model *m, double decay);
void ema_update(struct ema *e, const struct model *m);

#endif

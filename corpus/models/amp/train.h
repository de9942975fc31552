/* train.h: the loop, and what it comes to. */
#ifndef AMP_TRAIN_H
#define AMP_TRAIN_H

#include "data.h"
#include "model.h"

struct progress {
    double first, last; /* loss of the first step; mean of the last ones */
    int64_t skipped;    /* steps whose gradients were not finite */
};

struct progress train(const struct config *c, const struct model *m, const struct data *d,
                      struct ema *average);

/* evaluate.c: the share of points that are put into the right class. */
double evaluate(const struct config *c, const struct model *m, const struct data *d);

#endif

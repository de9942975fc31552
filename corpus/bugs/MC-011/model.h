/* A model that is loaded for one of several workers. */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>

#include <miscast/tensor.h>

enum { WIDTH = 8, RANKS = 2 };

struct model {
    mc_tensor *up, *down; /* split among the workers */
    mc_tensor *head;      /* the same in all of them */
};

/* Weights as they are in the checkpoint: f16. */
mc_tensor *checkpoint_read(const char *name, int64_t out, int64_t in);

void model_load(struct model *m, int rank, mc_dtype dtype);
mc_tensor *model_forward(const struct model *m, mc_tensor *x);

#endif

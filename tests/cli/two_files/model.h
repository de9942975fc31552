/* A model of one layer. */
#include <miscast/tensor.h>
#include <stdbool.h>

struct config {
    bool half;
};

struct model {
    mc_tensor *w, *b;
};

struct model model_new(const struct config *c);
mc_tensor *model_forward(const struct model *m, mc_tensor *x);

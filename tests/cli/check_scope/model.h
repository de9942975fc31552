#include <miscast/tensor.h>

struct model {
    mc_tensor *w;
};
void model_load(struct model *m);
mc_tensor *model_forward(const struct model *m, mc_tensor *x);

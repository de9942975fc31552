/* One linear layer. */
#ifndef MODEL_H
#define MODEL_H

#include <miscast/tensor.h>

struct model {
    mc_tensor *w, *b;
};

void model_init(struct model *m, int64_t inputs, int64_t outputs);
void model_cuda_half(struct model *m);
mc_tensor *model_forward(const struct model *m, mc_tensor *x);

#endif

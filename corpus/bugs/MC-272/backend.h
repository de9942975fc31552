/* A model file and a GPU backend that was built without bf16. */
#ifndef BACKEND_H
#define BACKEND_H

#include <miscast/tensor.h>

struct weights {
    mc_tensor *up, *down;
};

void weights_load(struct weights *w, mc_dtype file_dtype);
mc_tensor *gpu_mul_mat(mc_tensor *w, mc_tensor *x);

#endif

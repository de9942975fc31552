/* Predicts how well a network will do from a description of it. */
#ifndef PREDICTOR_H
#define PREDICTOR_H

#include <miscast/tensor.h>

enum { NETWORKS = 4, FEATURES = 5 };

struct batch {
    mc_tensor *features;
    mc_tensor *accuracy;
};

struct batch dataset_batch(void);
mc_tensor *predict(mc_tensor *w, mc_tensor *features);

#endif

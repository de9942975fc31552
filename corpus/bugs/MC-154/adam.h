/* An optimizer written with tensor operations. */
#ifndef ADAM_H
#define ADAM_H

#include <miscast/tensor.h>

struct adam {
    double lr, beta1, beta2, eps;
    mc_tensor *m, *v; /* of the parameter's dtype */
};

struct adam adam_new(mc_tensor *param, double lr);
void adam_step(struct adam *a, mc_tensor *param, mc_tensor *grad);

#endif

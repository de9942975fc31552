/* layers.h: layers, each a struct of its weights with new, forward and what it is trained by. */
#ifndef AMP_LAYERS_H
#define AMP_LAYERS_H

#include "parameters.h"

struct linear {
    mc_tensor *weight, *bias;
};

struct norm {
    mc_tensor *weight, *bias;
};

struct linear linear_new(int64_t in, int64_t out, mc_device device);
mc_tensor *linear_forward(const struct linear *l, mc_tensor *x);
void linear_parameters(const struct linear *l, struct parameters *p, const char *name);

struct norm norm_new(int64_t width, mc_device device);
mc_tensor *norm_forward(const struct norm *n, mc_tensor *x);
void norm_parameters(const struct norm *n, struct parameters *p, const char *name);

#endif

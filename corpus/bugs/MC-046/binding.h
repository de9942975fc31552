/* Runs models for a scripting language, whose arrays hold numbers of one kind: double. */
#ifndef BINDING_H
#define BINDING_H

#include <miscast/tensor.h>

struct module {
    mc_tensor *table;
    mc_tensor *w;
};

void module_load(struct module *m);
mc_tensor *module_forward(const struct module *m, mc_tensor *input);

enum element { NUMBERS, IDS };

/* A tensor of a script's array. */
mc_tensor *tensor_from_script(const double *data, int64_t length, enum element kind);

#endif

/* A trained module, exported as a C table of its weights. */
#ifndef MODULE_H
#define MODULE_H

#include <miscast/tensor.h>

struct module {
    mc_tensor *w1, *b1;
    mc_tensor *w2;
};

void module_load(struct module *m);
mc_tensor *module_forward(const struct module *m, mc_tensor *x);

#endif

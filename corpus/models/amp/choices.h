/* choices.h: what a name on the command line stands for: activations, optimizers, schedules,
 * losses. Each is a table of functions in a file of its own; an unknown name ends the program. */
#ifndef AMP_CHOICES_H
#define AMP_CHOICES_H

#include "config.h"
#include "parameters.h"

typedef mc_tensor *(*activation_fn)(mc_tensor *x);
activation_fn activation_named(const char *name);

typedef mc_optimizer *(*optimizer_fn)(mc_params params, double rate);
optimizer_fn optimizer_named(const char *name);
/* With two groups: weights, which decay, and the rest. */
mc_optimizer *optimizer_new(const struct config *c, const struct parameters *p);

/* at: 0 to 1. What the rate is multiplied with. */
typedef double (*schedule_fn)(double at);
schedule_fn schedule_named(const char *name);

/* logits: (batch, classes); target: (batch), i64. A 0-dim tensor. */
typedef mc_tensor *(*loss_fn)(mc_tensor *logits, mc_tensor *target);
loss_fn loss_named(const char *name);

#endif

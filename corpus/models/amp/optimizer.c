/* Optimizers by name, and their groups of parameters. */
#include "choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_optimizer *new_sgd(mc_params params, double rate)
{
    return mc_sgd(params, 5 * rate, .momentum = 0.9, .nesterov = true, .weight_decay = 1e-4);
}

static mc_optimizer *new_adam(mc_params params, double rate)
{
    return mc_adam(params, rate);
}

static mc_optimizer *new_adamw(mc_params params, double rate)
{
    return mc_adamw(params, rate, .beta2 = MC_NUM(0.98), .weight_decay = MC_NUM(0.05));
}

static const struct {
    const char *name;
    optimizer_fn make;
} optimizers[] = {{"sgd", new_sgd}, {"adam", new_adam}, {"adamw", new_adamw}};

optimizer_fn optimizer_named(const char *name)
{
    for (size_t i = 0; i < sizeof optimizers / sizeof *optimizers; i++)
        if (strcmp(optimizers[i].name, name) == 0)
            return optimizers[i].make;
    fprintf(stderr, "no optimizer is called %s\n", name);
    exit(2);
}

mc_optimizer *optimizer_new(const struct config *c, const struct parameters *p)
{
    mc_tensor *decay[MAX_PARAMETERS], *rest[MAX_PARAMETERS];
    size_t decaying = 0, others = 0;
    for (size_t i = 0; i < p->count; i++) {
        if (mc_ndim(p->tensors[i]) > 1)
            decay[decaying++] = p->tensors[i];
        else
            rest[others++] = p->tensors[i];
    }
    mc_optimizer *o = optimizer_named(c->optimizer)(mc_paramsn(decay, decaying), c->rate);
    mc_optimizer_add_param_group(o, mc_paramsn(rest, others), .weight_decay = MC_NUM(0));
    return o;
}

/* The moving average of parameters. */
#include "parameters.h"

void ema_init(struct ema *e, const struct parameters *p, double decay)
{
    e->decay = decay;
    e->means.count = 0;
    for (size_t i = 0; i < p->count; i++)
        parameters_add(&e->means, mc_to(mc_detach(p->tensors[i]), .dtype = MC_F32, .copy = true),
                       "%s", p->names[i]);
}

void ema_update(struct ema *e, const struct parameters *p)
{
    mc_grad_mode g = mc_no_grad_begin();
    for (size_t i = 0; i < p->count; i++)
        mc_lerp_(e->means.tensors[i], mc_float(p->tensors[i]), 1 - e->decay);
    mc_grad_mode_end(g);
}

void ema_apply(const struct ema *e, struct parameters *p)
{
    mc_grad_mode g = mc_no_grad_begin();
    for (size_t i = 0; i < p->count; i++)
        mc_copy_(p->tensors[i], e->means.tensors[i]);
    mc_grad_mode_end(g);
}

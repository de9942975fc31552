/* How good the model is at points it has not seen, in the precision it was trained in. */
#include "train.h"

double evaluate(const struct config *c, const struct model *m, const struct data *d)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_scope s = mc_scope_begin();
    mc_autocast a = mc_autocast_begin(c->device, c->dtype, .enabled = c->dtype != MC_F32);
    mc_tensor *logits = model_forward(m, d->points);
    mc_autocast_end(a);
    mc_tensor *guess = mc_argmax(logits, .dim = mc_dims(-1));
    double right = mc_item(mc_mean(mc_float(mc_eq(guess, d->classes))));
    mc_scope_end(s);
    mc_grad_mode_end(g);
    return right;
}

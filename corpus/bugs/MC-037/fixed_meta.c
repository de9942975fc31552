/* The inner loop: some steps of descent on one task. */
#include "task.h"

double adapt(const struct task *t, int steps)
{
    mc_tensor *w = mc_zeros(mc_shape(WAYS, PIXELS), .requires_grad = true);
    double last = 0;
    for (int i = 0; i < steps; i++) {
        mc_tensor *logits = mc_linear(t->x, w, NULL);
        mc_tensor *loss = mc_cross_entropy(logits, mc_long(t->y));
        mc_backward(loss);
        mc_grad_mode off = mc_no_grad_begin();
        mc_sub_(w, mc_grad(w), .alpha = MC_NUM(0.5));
        mc_grad_mode_end(off);
        mc_zero_grad(w);
        last = mc_item(loss);
    }
    return last;
}

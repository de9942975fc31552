/* Early stopping: the best weights are kept and restored at the end. */
#include <miscast/tensor.h>
#include <stdio.h>

struct best {
    double loss;
    mc_tensor *w;
};

static void keep_best(struct best *b, mc_tensor *w, double loss)
{
    if (b->w && loss >= b->loss)
        return;
    b->loss = loss;
    b->w = mc_clone(mc_detach(w));
}

static mc_tensor *loss_of(mc_tensor *w)
{
    return mc_sum(mc_square(mc_sub(w, 1.0)));
}

int main(void)
{
    mc_tensor *w = mc_requires_grad_(mc_full(mc_shape(3), 1.1), true);
    mc_optimizer *o = mc_sgd(mc_params(w), 1.5);
    struct best b = {0, NULL};
    for (int i = 0; i < 5; i++) {
        mc_tensor *loss = loss_of(w);
        keep_best(&b, w, mc_item(loss));
        mc_optimizer_zero_grad(o);
        mc_backward(loss);
        mc_optimizer_step(o);
    }
    printf("best %g, restored %g\n", b.loss, mc_item(loss_of(b.w)));
    mc_optimizer_free(o);
    return 0;
}

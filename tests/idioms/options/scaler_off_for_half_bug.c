/* A trainer that scales gradients, whatever its parameters are. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct trainer {
    mc_tensor *w;
    mc_optimizer *o;
    mc_grad_scaler *s;
};

static void trainer_init(struct trainer *t, bool half)
{
    t->w = mc_ones(mc_shape(1, 4));
    if (half)
        t->w = mc_half(t->w);
    mc_requires_grad_(t->w, true);
    t->o = mc_sgd(mc_params(t->w), 1e-2);
    t->s = mc_grad_scaler_new(true);
}

static void train(struct trainer *t, mc_tensor *x)
{
    mc_tensor *loss = mc_mean(mc_linear(mc_type_as(x, t->w), t->w, NULL));
    mc_optimizer_zero_grad(t->o);
    mc_backward(mc_grad_scaler_scale(t->s, loss));
    mc_grad_scaler_unscale_(t->s, t->o);
    mc_grad_scaler_step(t->s, t->o);
    mc_grad_scaler_update(t->s);
}

int main(int argc, char **argv)
{
    bool half = false;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--half"))
            half = true;
    struct trainer t;
    trainer_init(&t, half);
    for (int i = 0; i < 2; i++)
        train(&t, mc_ones(mc_shape(2, 4)));
    mc_print(mc_detach(t.w));
    mc_grad_scaler_free(t.s);
    mc_optimizer_free(t.o);
    return 0;
}

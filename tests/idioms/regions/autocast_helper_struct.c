#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

struct trainer {
    mc_device device;
    mc_dtype amp;
    bool use_amp;
    mc_autocast region;
    mc_grad_scaler *scaler;
};

static void trainer_init(struct trainer *t, int argc, char **argv)
{
    memset(t, 0, sizeof *t);
    t->amp = MC_BF16;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--amp"))
            t->use_amp = true;
        else if (!strcmp(argv[i], "--f16"))
            t->amp = MC_F16;
    }
    t->device = MC_CPU;
    t->scaler = mc_grad_scaler_new(t->use_amp && t->amp == MC_F16);
}

static void enter(struct trainer *t)
{
    if (t->use_amp)
        t->region = mc_autocast_begin(t->device, t->amp);
}

static void leave(struct trainer *t)
{
    if (t->use_amp)
        mc_autocast_end(t->region);
}

int main(int argc, char **argv)
{
    struct trainer t;
    trainer_init(&t, argc, argv);
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(3, 4)), true);
    mc_tensor *head = mc_randn(mc_shape(2, 3));
    mc_optimizer *opt = mc_sgd(mc_params(w), 0.01);
    for (int step = 0; step < 2; step++) {
        mc_tensor *x = mc_randn(mc_shape(5, 4));
        enter(&t);
        mc_tensor *h = mc_linear(x, w, NULL);
        mc_tensor *out = mc_linear(h, head, NULL);
        leave(&t);
        mc_tensor *loss = mc_mean(mc_square(mc_float(out)));
        mc_optimizer_zero_grad(opt);
        mc_backward(mc_grad_scaler_scale(t.scaler, loss));
        mc_grad_scaler_step(t.scaler, opt);
        mc_grad_scaler_update(t.scaler);
    }
    mc_optimizer_free(opt);
    mc_grad_scaler_free(t.scaler);
    return 0;
}

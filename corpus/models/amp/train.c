/* A step: batches whose gradients are gathered, then unscaled, clipped, and taken. */
#include "train.h"

#include <stdio.h>

struct trainer {
    const struct config *config;
    const struct model *model;
    loss_fn loss;
    schedule_fn schedule;
    mc_optimizer *optimizer;
    mc_grad_scaler *scaler;
};

/* The loss of one batch, whose gradients are added to those there are. */
static double gather(const struct trainer *t, struct batch b)
{
    const struct config *c = t->config;
    mc_autocast a = mc_autocast_begin(c->device, c->dtype, .enabled = c->dtype != MC_F32);
    mc_tensor *logits = model_forward(t->model, b.x);
    mc_tensor *loss = mc_div(t->loss(logits, b.y), (double)c->accumulate);
    mc_autocast_end(a);
    mc_backward(mc_grad_scaler_scale(t->scaler, loss));
    return mc_item(loss);
}

/* True if the gradients were finite, and the step was made. */
static bool take_step(const struct trainer *t)
{
    mc_grad_scaler_unscale_(t->scaler, t->optimizer);
    mc_clip_grad_norm_(mc_optimizer_params(t->optimizer), t->config->clip);
    bool stepped = mc_grad_scaler_step(t->scaler, t->optimizer);
    mc_grad_scaler_update(t->scaler);
    mc_optimizer_zero_grad(t->optimizer);
    return stepped;
}

static double train_step(const struct trainer *t, const struct data *d, bool *stepped)
{
    mc_scope s = mc_scope_begin();
    double loss = 0;
    for (int64_t i = 0; i < t->config->accumulate; i++)
        loss += gather(t, data_batch(d, t->config->batch));
    *stepped = take_step(t);
    mc_scope_end(s);
    return loss;
}

struct progress train(const struct config *c, const struct model *m, const struct data *d,
                      struct ema *average)
{
    struct parameters p;
    model_parameters(m, &p);
    struct trainer t = {
        .config = c,
        .model = m,
        .loss = loss_named(c->loss),
        .schedule = schedule_named(c->schedule),
        .optimizer = optimizer_new(c, &p),
        .scaler = mc_grad_scaler_new(c->dtype == MC_F16, .init_scale = 1024),
    };
    double rate = mc_optimizer_lr(t.optimizer, 0);
    struct progress done = {0};
    for (int64_t step = 0; step < c->steps; step++) {
        bool stepped;
        mc_optimizer_set_lr(t.optimizer, rate * t.schedule((double)step / (double)c->steps));
        double loss = train_step(&t, d, &stepped);
        ema_update(average, &p);
        done.skipped += !stepped;
        done.first = step == 0 ? loss : done.first;
        done.last = step == 0 ? loss : 0.8 * done.last + 0.2 * loss;
        if ((step + 1) % 20 == 0)
            printf("step %3d  loss %.4f\n", (int)step + 1, done.last);
    }
    mc_grad_scaler_free(t.scaler);
    mc_optimizer_free(t.optimizer);
    return done;
}

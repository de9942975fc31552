/* bug.c, fixed: the gradients are unscaled before they are clipped. */
#include <stdio.h>

#include <miscast/tensor.h>

enum { VOCAB = 12, WIDTH = 8, BATCH = 6, STEPS = 10 };

struct trainer_config {
    double lr, grad_norm_clip;
    bool use_amp;
};

struct gpt {
    mc_tensor *embedding, *head;
};

struct trainer {
    struct trainer_config config;
    struct gpt *model;
    mc_optimizer *optimizer;
    mc_grad_scaler *scaler;
};

static double run_batch(struct trainer *t, mc_tensor *x, mc_tensor *y)
{
    const struct gpt *m = t->model;
    mc_autocast region = mc_autocast_begin(MC_CUDA, MC_F16, .enabled = t->config.use_amp);
    mc_tensor *logits = mc_linear(mc_embedding(x, m->embedding), m->head, NULL);
    mc_tensor *loss = mc_cross_entropy(logits, y);
    mc_autocast_end(region);
    mc_optimizer_zero_grad(t->optimizer);
    mc_backward(mc_grad_scaler_scale(t->scaler, loss));
    mc_params all = mc_optimizer_params(t->optimizer);
    mc_grad_scaler_unscale_(t->scaler, t->optimizer);
    mc_clip_grad_norm_(all, t->config.grad_norm_clip);
    mc_grad_scaler_step(t->scaler, t->optimizer);
    mc_grad_scaler_update(t->scaler);
    return mc_item(loss);
}

int main(void)
{
    mc_manual_seed(4);
    struct gpt m = {
        .embedding = mc_randn(mc_shape(VOCAB, WIDTH), .device = MC_CUDA, .requires_grad = true),
        .head = mc_randn(mc_shape(VOCAB, WIDTH), .device = MC_CUDA, .requires_grad = true),
    };
    struct trainer t = {
        .config = {.lr = 0.5, .grad_norm_clip = 1.0, .use_amp = true},
        .model = &m,
        .optimizer = mc_sgd(mc_params(m.embedding, m.head), 0.5),
        .scaler = mc_grad_scaler_new(true, .init_scale = 1024),
    };
    mc_tensor *x = mc_arange(BATCH, .device = MC_CUDA), *y = mc_add(x, 1);
    double first = run_batch(&t, x, y), last = first;
    for (int i = 0; i < STEPS; i++)
        last = run_batch(&t, x, y);
    printf("loss from %.3f to %.3f\n", first, last);
    mc_grad_scaler_free(t.scaler);
    mc_optimizer_free(t.optimizer);
    return !(last < 0.7 * first);
}

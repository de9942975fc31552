/* Learns a rhyme with an LSTM, in pieces: what is remembered goes on from piece to piece, gradients
 * do not. Ends well if the loss is reached, and if reading a text in two halves comes to the same
 * as reading it at once.
 *
 *     lstm --dtype bf16 --device cuda --steps 60 */
#include <math.h>
#include <stdio.h>

#include "lstm.h"
#include "options.h"

enum { ROWS = 4, TIME = 16, HIDDEN = 48 };

struct learner {
    const struct options *options;
    struct lstm model;
    struct text text;
    mc_optimizer *optimizer;
    mc_grad_scaler *scaler;
};

static mc_tensor *loss_of(const struct learner *l, mc_tensor *x, mc_tensor *y,
                          struct lstm_state *state)
{
    const struct options *o = l->options;
    mc_autocast a = mc_autocast_begin(o->device, o->dtype, .enabled = o->dtype != MC_F32);
    mc_tensor *logits = lstm_forward(&l->model, x, state);
    mc_tensor *loss = mc_cross_entropy(mc_flatten(logits, 0, 1), mc_flatten(y, 0, 1));
    mc_autocast_end(a);
    return loss;
}

static double learn(const struct learner *l, mc_tensor *x, mc_tensor *y, struct lstm_state *state)
{
    mc_tensor *loss = loss_of(l, x, y, state);
    mc_optimizer_zero_grad(l->optimizer);
    mc_backward(mc_grad_scaler_scale(l->scaler, loss));
    mc_grad_scaler_unscale_(l->scaler, l->optimizer);
    mc_clip_grad_norm_(mc_optimizer_params(l->optimizer), 1.0);
    mc_grad_scaler_step(l->scaler, l->optimizer);
    mc_grad_scaler_update(l->scaler);
    return mc_item(loss);
}

/* The state outlives the scope of a step: it is kept, and what it was before is freed. */
static void state_keep(struct lstm_state *before, const struct lstm_state *now)
{
    for (int i = 0; i < LAYERS; i++) {
        mc_free(before->h[i]);
        mc_free(before->c[i]);
        before->h[i] = mc_keep(now->h[i]);
        before->c[i] = mc_keep(now->c[i]);
    }
}

static void state_free(struct lstm_state *state)
{
    for (int i = 0; i < LAYERS; i++) {
        mc_free(state->h[i]);
        mc_free(state->c[i]);
    }
}

/* The loss after all steps, as a mean of the last few. */
static double train(const struct learner *l)
{
    struct lstm_state state = lstm_state_new(&l->model, ROWS);
    double mean = 0;
    int64_t at = 0;
    for (int i = 0; i < LAYERS; i++) {
        mc_keep(state.h[i]);
        mc_keep(state.c[i]);
    }
    for (int step = 1; step <= l->options->steps; step++) {
        mc_scope s = mc_scope_begin();
        struct lstm_state now = state;
        mc_tensor *x, *y;
        if (!text_piece(&l->text, at, TIME, &x, &y)) {
            at = 0;
            now = lstm_state_new(&l->model, ROWS);
            text_piece(&l->text, at, TIME, &x, &y);
        }
        double loss = learn(l, x, y, &now);
        lstm_state_detach(&now);
        state_keep(&state, &now);
        at += TIME;
        mean += (loss - mean) / (step < 8 ? step : 8);
        if (step % 20 == 0)
            printf("step %3d  loss %.4f\n", step, mean);
        mc_scope_end(s);
    }
    state_free(&state);
    return mean;
}

/* How far the logits of a text read in two halves are from those of the whole. */
static double halves_apart(const struct learner *l)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_scope s = mc_scope_begin();
    struct lstm_state once = lstm_state_new(&l->model, ROWS), twice = once;
    mc_tensor *x = mc_narrow(l->text.letters, 1, 0, 2 * TIME);
    mc_tensor *whole = lstm_forward(&l->model, x, &once);
    mc_tensor *first = lstm_forward(&l->model, mc_narrow(x, 1, 0, TIME), &twice);
    mc_tensor *second = lstm_forward(&l->model, mc_narrow(x, 1, TIME, TIME), &twice);
    double off = mc_item(mc_amax(mc_abs(mc_sub(whole, mc_cat(1, first, second)))));
    mc_scope_end(s);
    mc_grad_mode_end(g);
    return off;
}

/* Continues the rhyme with the most likely letters. */
static void recite(const struct learner *l, int count)
{
    mc_grad_mode g = mc_no_grad_begin();
    mc_scope s = mc_scope_begin();
    struct lstm_state state = lstm_state_new(&l->model, 1);
    mc_tensor *letter = mc_narrow(mc_narrow(l->text.letters, 0, 0, 1), 1, 0, 1);
    for (int i = 0; i < count; i++) {
        putchar(l->text.character[mc_item_int(letter)]);
        letter = mc_argmax(lstm_forward(&l->model, letter, &state), .dim = mc_dims(-1));
    }
    putchar('\n');
    mc_scope_end(s);
    mc_grad_mode_end(g);
}

int main(int argc, char **argv)
{
    struct options o = options_read(argc, argv,
                                    (struct options){
                                        .dtype = MC_F32,
                                        .device = MC_CPU,
                                        .steps = 120,
                                        .reach = 0.35,
                                        .speak = 80,
                                        .seed = 1,
                                    });
    mc_manual_seed(o.seed);
    mc_scope s = mc_scope_begin();
    struct learner l = {.options = &o, .text = text_new(ROWS, o.device)};
    l.model = lstm_new(l.text.alphabet, HIDDEN, o.device);
    mc_tensor *all[MAX_PARAMETERS];
    size_t count = lstm_parameters(&l.model, all);
    l.optimizer = mc_adam(mc_paramsn(all, count), 1e-2);
    l.scaler = mc_grad_scaler_new(o.dtype == MC_F16, .init_scale = 4096);

    double loss = train(&l), apart = halves_apart(&l);
    recite(&l, o.speak);
    mc_grad_scaler_free(l.scaler);
    mc_optimizer_free(l.optimizer);
    mc_scope_end(s);
    if (apart > 1e-4)
        printf("two halves are not the whole: %g apart\n", apart);
    return options_judge(&o, loss) || apart > 1e-4;
}

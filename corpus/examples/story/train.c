/* Training and evaluation. */
#include "story.h"

#include <stdio.h>

/* exp saves its result for backward, and the result is modified. */
static mc_tensor *softened(mc_tensor *logits)
{
    mc_tensor *e = mc_exp(logits);
    mc_add_(e, 1e-3);
    return mc_log(e);
}

/* The sum of many losses needs more precision; the result of the cast is discarded. */
static double sum_of(double sum, mc_tensor *loss)
{
    mc_double(loss);
    return sum + mc_item(loss);
}

void story_train(struct story *s, mc_tensor *x, mc_tensor *next, int steps)
{
    mc_requires_grad_(s->out_w, true);
    mc_optimizer *o = mc_sgd(mc_params(s->out_w), 0.5);
    double sum = 0;
    for (int i = 0; i < steps; i++) {
        mc_tensor *logits = mc_reshape(softened(story_forward(s, x)), -1, WORDS);
        mc_tensor *loss = mc_cross_entropy(logits, mc_reshape(next, -1));
        mc_optimizer_zero_grad(o);
        mc_backward(loss);
        mc_optimizer_step(o);
        sum = sum_of(sum, loss);
    }
    printf("loss %.3f\n", sum / steps);
    mc_optimizer_free(o);
}

/* The surprise of each word, in half precision: the epsilon against log(0) is 0 in f16. */
mc_tensor *story_surprise(const struct story *s, mc_tensor *x)
{
    mc_tensor *shares = mc_half(mc_softmax(mc_mul(story_forward(s, x), 100), -1));
    return mc_mean(mc_neg(mc_log(mc_add(shares, 1e-8))));
}

/* Files hold f32. */
void story_save(mc_tensor *w)
{
    MC_EXPECT(w, MC_F32, MC_ANY_DEVICE);
    printf("%lld numbers saved\n", (long long)mc_numel(w));
}

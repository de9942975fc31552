/* Losses by name. All take logits as the model left them, half perhaps, and are f32. */
#include "choices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mc_tensor *cross_entropy(mc_tensor *logits, mc_tensor *target)
{
    return mc_cross_entropy(mc_float(logits), target);
}

/* A tenth of the truth is spread over all classes. */
static mc_tensor *smoothed(mc_tensor *logits, mc_tensor *target)
{
    mc_tensor *known = mc_log_softmax(mc_float(logits), -1);
    mc_tensor *right = mc_gather(known, -1, mc_unsqueeze(target, -1));
    mc_tensor *spread = mc_mean(known, .dim = mc_dims(-1), .keepdim = true);
    return mc_neg(mc_mean(mc_add(mc_mul(right, 0.9), mc_mul(spread, 0.1))));
}

/* What is known already counts less. */
static mc_tensor *focal(mc_tensor *logits, mc_tensor *target)
{
    mc_tensor *nll = mc_cross_entropy(mc_float(logits), target, .reduction = MC_NO_REDUCTION);
    mc_tensor *unsure = mc_rsub(mc_exp(mc_neg(nll)), 1.0);
    return mc_mean(mc_mul(mc_square(unsure), nll));
}

static const struct {
    const char *name;
    loss_fn of;
} losses[] = {{"cross-entropy", cross_entropy}, {"smoothed", smoothed}, {"focal", focal}};

loss_fn loss_named(const char *name)
{
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        if (strcmp(losses[i].name, name) == 0)
            return losses[i].of;
    fprintf(stderr, "no loss is called %s\n", name);
    exit(2);
}

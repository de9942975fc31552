/* Trains a classifier in mixed precision, with everything by name: activation, optimizer, schedule,
 * loss. Ends well if the loss has fallen, the averaged weights know most of what they have not
 * seen, and a checkpoint reads back as it was written.
 *
 *     train_amp --dtype f16 --optimizer sgd --activation silu --loss focal --checkpoint FILE */
#include <stdio.h>

#include "train.h"

static bool checkpoint(const struct config *c, const struct parameters *p)
{
    if (!c->checkpoint)
        return true;
    bool kept = checkpoint_save(p, c->checkpoint) && checkpoint_agrees(p, c->checkpoint);
    printf("%s %s\n", c->checkpoint, kept ? "reads back as it was written" : "is not what it was");
    return kept;
}

int main(int argc, char **argv)
{
    struct config c = config_read(argc, argv);
    mc_manual_seed(c.seed);
    mc_scope s = mc_scope_begin();
    mc_tensor *centres = data_centres(&c);
    struct data seen = data_make(&c, 512, centres), unseen = data_make(&c, 256, centres);
    struct model model;
    struct parameters parameters;
    struct ema average;
    model_init(&model, &c);
    model_parameters(&model, &parameters);
    ema_init(&average, &parameters, c.ema);

    double before = evaluate(&c, &model, &unseen);
    struct progress done = train(&c, &model, &seen, &average);
    double after = evaluate(&c, &model, &unseen);
    ema_apply(&average, &parameters);
    double averaged = evaluate(&c, &model, &unseen);
    bool kept = checkpoint(&c, &parameters);
    mc_scope_end(s);

    printf("%s on %s: loss %.4f to %.4f, %d steps skipped\n", mc_dtype_name(c.dtype),
           mc_device_name(c.device), done.first, done.last, (int)done.skipped);
    printf("right %.3f, trained %.3f, averaged %.3f\n", before, after, averaged);
    return kept && done.last < 0.5 * done.first && averaged > 0.8 ? 0 : 1;
}

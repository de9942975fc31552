/* config.h: everything that can be chosen, and how it is read from the command line. */
#ifndef AMP_CONFIG_H
#define AMP_CONFIG_H

#include <miscast/tensor.h>

struct config {
    /* the model */
    int64_t features, width, depth, classes;
    const char *activation; /* a name of activation.c */

    /* how it learns */
    mc_dtype dtype; /* f32, or what autocast casts to */
    mc_device device;
    const char *optimizer, *schedule, *loss; /* names of optimizer.c, schedule.c, loss.c */
    double rate, clip, ema;
    int64_t steps, batch, accumulate; /* a step is `accumulate` batches */
    uint64_t seed;

    const char *checkpoint; /* file to write; NULL: none */
};

/* Defaults, changed by what the command line says. Ends the program where it makes no sense. */
struct config config_read(int argc, char **argv);

#endif

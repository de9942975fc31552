/* What the training programs have in common: how they are called, and how they end. */
#ifndef MODELS_OPTIONS_H
#define MODELS_OPTIONS_H

#include <miscast/tensor.h>

struct options {
    mc_dtype dtype; /* f32, or what autocast casts to: f16 or bf16 */
    mc_device device;
    int steps;
    double reach;     /* the loss to be reached; f16 and bf16 may miss it by 5% */
    const char *text; /* of the transformer: the file to learn from, */
    int speak;        /* and how much to say at the end */
    uint64_t seed;
};

/* What the command line says, and defaults for the rest. Ends the program where it makes no sense.
 */
struct options options_read(int argc, char **argv, struct options defaults);

/* Prints how it went. The program's exit status: 0 if the loss was reached. */
int options_judge(const struct options *o, double loss);

#endif

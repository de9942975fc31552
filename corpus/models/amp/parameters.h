/* parameters.h: a list of tensors with names: what is trained, averaged and written to files. */
#ifndef AMP_PARAMETERS_H
#define AMP_PARAMETERS_H

#include <miscast/tensor.h>

enum { MAX_PARAMETERS = 64, MAX_NAME = 32 };

struct parameters {
    size_t count;
    mc_tensor *tensors[MAX_PARAMETERS];
    char names[MAX_PARAMETERS][MAX_NAME];
};

void parameters_add(struct parameters *p, mc_tensor *tensor, const char *format, ...)
    MC_PRINTF(3, 4);

/* checkpoint.c: the tensors to a file, and whether a file has just these. */
bool checkpoint_save(const struct parameters *p, const char *path);
bool checkpoint_agrees(const struct parameters *p, const char *path);

/* ema.c: a moving average of parameters, kept in f32. */
struct ema {
    double decay;
    struct parameters means;
};

void ema_init(struct ema *e, const struct parameters *p, double decay);
void ema_update(struct ema *e, const struct parameters *p);
/* Puts the averages into the parameters. */
void ema_apply(const struct ema *e, struct parameters *p);

#endif

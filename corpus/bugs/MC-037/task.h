/* Few-shot learning: tasks of some pictures with their classes. */
#ifndef TASK_H
#define TASK_H

#include <miscast/tensor.h>

enum { SHOTS = 4, PIXELS = 6, WAYS = 2 };

struct task {
    mc_tensor *x; /* (SHOTS, PIXELS) */
    mc_tensor *y; /* (SHOTS) */
};

struct task task_next(void);
double adapt(const struct task *t, int steps);

#endif

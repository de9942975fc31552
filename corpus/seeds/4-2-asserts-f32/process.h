/* A step of a pipeline that is particular about its input. */
#ifndef PROCESS_H
#define PROCESS_H

#include <miscast/tensor.h>

/* f32 only, on any device */
mc_tensor *process(mc_tensor *x);

#endif

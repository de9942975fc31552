/* Rotary positions of a video model, and the pipeline that runs it. */
#ifndef ROPE_H
#define ROPE_H

#include <miscast/tensor.h>

enum { FREQUENCIES = 4, FRAMES = 3, FIRST_FRAME = 65536 };

/* (FREQUENCIES, frames): the angle of each frame at each frequency */
mc_tensor *rope_angles(mc_tensor *inv_freq, mc_tensor *position);

#endif

/* Overlaps of boxes seen from above, for suppressing doubles. */
#ifndef BOXES_H
#define BOXES_H

#include <miscast/tensor.h>

/* boxes (n, 4): x0, y0, x1, y1. Returns how many are left when doubles are gone. */
int boxes_suppress(mc_tensor *boxes, float threshold);

#endif

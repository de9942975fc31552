/* Boxes in space, and how well they were found. */
#ifndef BOXES_H
#define BOXES_H

#include <miscast/tensor.h>

enum { BOX = 6 }; /* x, y, z, and sizes */

struct boxes {
    mc_tensor *data; /* f32, (n, BOX); z is the centre's */
};

/* Of rows whose z is that of the bottom. */
struct boxes boxes_new(mc_tensor *rows);

/* The mean distance of the centres. */
double evaluate(mc_tensor *found, mc_tensor *truth);

#endif

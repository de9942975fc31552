/* A data set whose classes are not equally frequent. */
#ifndef DATA_H
#define DATA_H

#include <miscast/tensor.h>

enum { CLASSES = 3, EXAMPLES = 6, INPUTS = 4 };

struct dataset {
    int64_t labels[EXAMPLES];
};

/* One weight a class: rare ones count more. */
mc_tensor *loss_weights(const struct dataset *d);
double evaluate(const struct dataset *d, mc_tensor *weights);

#endif

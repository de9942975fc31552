/* Weights are computed as fractions, in double. */
#include "data.h"

mc_tensor *loss_weights(const struct dataset *d)
{
    double weight[CLASSES] = {0};
    for (int i = 0; i < EXAMPLES; i++)
        weight[d->labels[i]] += 1.0 / EXAMPLES;
    for (int c = 0; c < CLASSES; c++)
        weight[c] = weight[c] > 0 ? 1 / weight[c] : 0;
    return mc_float(mc_from_array(weight, mc_shape(CLASSES)));
}

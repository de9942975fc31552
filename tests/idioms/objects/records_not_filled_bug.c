/* An array of zeroed records of which only the second has a weight. */
#include <miscast/tensor.h>

#include <stdlib.h>

struct layer {
    mc_tensor *weight;
    bool half;
};

int main(int argc, char **argv)
{
    struct layer *layers = calloc((size_t)argc + 2, sizeof *layers);
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    layers[1].weight = x;
    mc_matmul(x, layers->weight);
    free(layers);
    return argv == NULL;
}

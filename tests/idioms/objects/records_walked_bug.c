/* The half weights get the other input. */
#include <miscast/tensor.h>

#include <stdlib.h>

struct layer {
    mc_tensor *weight;
    bool half;
};

int main(int argc, char **argv)
{
    struct layer *layers = calloc((size_t)argc, sizeof *layers);
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    for (int i = 0; i < argc; i++) {
        layers[i].half = argv[i][0] == 'h';
        layers[i].weight = layers[i].half ? mc_half(x) : x;
    }
    for (struct layer *l = layers; l != layers + argc; ++l) {
        mc_tensor *y = l->half ? x : mc_half(x);
        mc_matmul(y, l->weight);
    }
    free(layers);
    return 0;
}

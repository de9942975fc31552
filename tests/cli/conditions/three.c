/* Fails only with three options: all of them are named. */
#include <miscast/tensor.h>
#include <string.h>

int main(int argc, char **argv)
{
    bool east = false, up = false, left = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--east"))
            east = true;
        else if (!strcmp(argv[i], "--up"))
            up = true;
        else if (!strcmp(argv[i], "--left"))
            left = true;
    }
    mc_tensor *x = mc_ones(mc_shape(2, 4)), *w = mc_ones(mc_shape(4, 4));
    mc_print(mc_linear(east && up && left ? mc_half(x) : x, w, NULL));
    return 0;
}

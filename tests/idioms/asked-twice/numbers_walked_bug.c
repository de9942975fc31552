/* A pointer walks along numbers that the program wrote, and asks twice, about two of them. */
#include <miscast/tensor.h>

#include <stdlib.h>

int main(int argc, char **argv)
{
    int *modes = malloc((size_t)argc * sizeof *modes), *end = modes + argc;
    mc_tensor *x = mc_ones(mc_shape(4, 4));
    for (int i = 0; i < argc; i++)
        modes[i] = atoi(argv[i]);
    for (const int *p = modes; p < end; p++) {
        mc_tensor *w = x;
        if (*p == 1)
            w = mc_half(x);
        mc_matmul(*p == 2 ? mc_half(x) : x, w);
    }
    free(modes);
    return 0;
}

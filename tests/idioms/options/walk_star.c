/* Options are found by a pointer that walks along them. */
#include <miscast/tensor.h>
#include <string.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int half = 0, steps = 3;
    mc_device dev = MC_CPU;
    for (char **a = argv + 1; *a; a++) {
        if (!strcmp(*a, "--half"))
            half = 1;
        else if (!strcmp(*a, "--cuda"))
            dev = MC_CUDA;
        else if (!strcmp(*a, "--steps") && a[1])
            steps = atoi(*++a);
    }
    mc_tensor *w = mc_randn(mc_shape(4, 4), .device = dev);
    if (half)
        w = mc_half(w);
    for (int i = 0; i < steps; i++) {
        mc_tensor *x = mc_randn(mc_shape(2, 4), .dtype = half ? MC_F16 : MC_F32, .device = dev);
        mc_print(mc_matmul(x, w));
    }
    (void)argc;
    return 0;
}

/* The clock of a simulation, in the dtype of its state. */
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    mc_dtype d = MC_F32;
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--half"))
            d = MC_F16;
    mc_tensor *t = mc_zeros(mc_shape(1), .dtype = d);
    mc_tensor *dt = mc_full(mc_shape(1), 0.01, .dtype = d);
    for (int i = 0; i < 5000; i++)
        t = mc_add(t, dt);
    printf("%g\n", mc_item(t));
    return 0;
}

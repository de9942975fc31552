/* A cosine schedule whose rate is kept as a tensor next to the model. */
#include <math.h>
#include <miscast/tensor.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    mc_dtype d = argc > 1 && strcmp(argv[1], "--half") == 0 ? MC_F16 : MC_F32;
    const int steps = 1000;
    double sum = 0;
    mc_tensor *lr = mc_scalar_tensor(1e-8, .dtype = d);
    for (int i = 0; i < steps; i++) {
        double factor = 0.5 * (1 + cos(3.14159265 * i / steps));
        sum += mc_item(mc_mul(lr, factor));
    }
    printf("mean rate %g\n", sum / steps);
    return 0;
}

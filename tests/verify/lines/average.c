/* Every step is rounded as well as it can be, and all of them together lose most of the average. */
#include <miscast/tensor.h>

#include <string.h>

int main(int argc, char **argv)
{
    mc_dtype dtype = argc > 1 && strcmp(argv[1], "--half") == 0 ? MC_BF16 : MC_F32;
    mc_tensor *average = mc_ones(mc_shape(1), .dtype = dtype);
    for (int step = 0; step < 3000; step++)
        mc_lerp_(average, mc_full(mc_shape(1), 0.5, .dtype = dtype), 0.001);
    mc_print(average);
    return 0;
}

/* An average of equal numbers loses nothing, though it would lose others: it was reached. */
#include <miscast/tensor.h>

int main(int argc, char **argv)
{
    mc_dtype dtype = argc > 1 ? MC_BF16 : MC_F32;
    mc_tensor *average = mc_ones(mc_shape(4), .dtype = dtype);
    for (int i = 0; i < 100; i++)
        mc_lerp_(average, mc_ones_like(average), 0.001);
    mc_print(average);
    (void)argv;
    return 0;
}

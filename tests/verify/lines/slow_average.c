/* One step loses nothing; many of them do not get there. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *average = mc_zeros(mc_shape(4), .dtype = MC_F16);
    mc_lerp_(average, mc_ones_like(average), 0.0001);
    mc_print(average);
    return 0;
}

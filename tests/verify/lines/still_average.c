/* An average of what it already is, which has nowhere to move: it would not move either if it had.
 */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *p = mc_ones(mc_shape(4), .dtype = MC_BF16), *average = mc_clone(p);
    for (int i = 0; i < 100; i++)
        mc_lerp_(average, p, 0.001);
    mc_print(average);
    return 0;
}

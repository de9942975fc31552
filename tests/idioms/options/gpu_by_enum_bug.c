/* The number of the device is checked as an enumeration: but the second is on the next. */
#include <miscast/tensor.h>
#include <stdlib.h>

enum place { FIRST, SECOND, THIRD };

int main(int argc, char **argv)
{
    enum place place = argc > 1 ? (enum place)atoi(argv[1]) : FIRST;
    if (place > THIRD)
        place = FIRST;
    mc_device device = MC_CUDA_AT((int)place);
    mc_tensor *w = mc_requires_grad_(mc_ones(mc_shape(4, 4), .device = device), true);
    mc_tensor *y = mc_ones(mc_shape(4, 4), .device = MC_CUDA_AT((int)place + 1));
    mc_tensor *same = mc_type_as(w, y);
    if (mc_is_leaf(same))
        mc_requires_grad_(same, false);
    mc_zero_(w);
    return 0;
}

/* A view of one of six tensors, of which four are kept. */
#include <miscast/tensor.h>

mc_tensor *view(int n)
{
    mc_tensor *x = mc_zeros(mc_shape(2, 2));
    switch (n) {
    case 1:
        x = mc_ones(mc_shape(2, 2));
        break;
    case 2:
        x = mc_zeros(mc_shape(2, 2));
        break;
    case 3:
        x = mc_ones(mc_shape(2, 2));
        break;
    case 4:
        x = mc_zeros(mc_shape(2, 2));
        break;
    case 5:
        x = mc_ones(mc_shape(2, 2));
        break;
    }
    return mc_transpose(x, 0, 1);
}

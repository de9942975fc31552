/* A copy on the GPU beside the one that is trained. */
#include <miscast/tensor.h>

int main(void)
{
    mc_tensor *master = mc_ones(mc_shape(1));
    mc_tensor *copy = mc_cuda(master);
    mc_add_(master, 3);
    mc_print(copy);
    return 0;
}

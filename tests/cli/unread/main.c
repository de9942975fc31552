#include <miscast/tensor.h>

mc_tensor *weight(void);

int main(void)
{
    mc_print(mc_matmul(mc_ones(mc_shape(2, 3)), weight()));
    return 0;
}

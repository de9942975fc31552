#include <miscast/tensor.h>

int main(void)
{
    mc_print(mc_ones(mc_shape(2))); // miscast: ignore[matmul-dtype, unused-suppression] for other builds
    return 0;
}

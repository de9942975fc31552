/* Events of a gradient say nothing about the op itself: the backward of a product is made of
 * products at the same place. What decides is computed from a file that is not there. */
#include <miscast/tensor.h>

#include <stdio.h>

int main(void)
{
    FILE *file = fopen("mode", "rb");
    mc_dtype dtype = file && fgetc(file) * 31 % 257 == 162 ? MC_F16 : MC_F32;
    mc_tensor *w = mc_requires_grad_(mc_randn(mc_shape(4, 4)), true);
    mc_tensor *y = mc_matmul(mc_randn(mc_shape(4, 4), .dtype = dtype), w);
    mc_backward(mc_sum(y));
    mc_print(mc_grad(w));
    return 0;
}

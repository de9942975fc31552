/* Not hostile: a product of matrices, with the threads of the BLAS. */
#include <miscast/tensor.h>

#include <stdio.h>

int main(void)
{
    mc_tensor *a = mc_ones(mc_shape(384, 384)), *b = mc_ones(mc_shape(384, 384));
    printf("%.0f\n", mc_item(mc_mean(mc_matmul(a, b))));
    return 0;
}

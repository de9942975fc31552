/* An f32 vector that is to get a gradient, through an f16 matrix. It does not come to a gradient.
 */
#include <stdio.h>

#include <miscast/tensor.h>

enum { N = 4 };

int main(void)
{
    mc_tensor *v = mc_ones(mc_shape(N), .requires_grad = true);
    mc_tensor *m = mc_ones(mc_shape(N, N), .dtype = MC_F16);
    printf("%s vector, %s matrix\n", mc_dtype_name(mc_dtype_of(v)), mc_dtype_name(mc_dtype_of(m)));

    mc_tensor *y = mc_matmul(v, m); /* expect: matmul-dtype error */
    mc_backward(mc_sum(y));
    mc_print(mc_grad(v));
    return 0;
}

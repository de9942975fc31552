/* No device has the inverse of a half matrix: it is computed in f32, and the result is half. */
#include <miscast/tensor.h>

mc_tensor *precision(mc_tensor *cov)
{
    return mc_inverse(cov); /* expect: unsupported-dtype error */
}

int main(void)
{
    mc_tensor *cov = mc_eye(4, .dtype = MC_F16);
    mc_print(mc_matmul(cov, precision(cov)));
    return 0;
}

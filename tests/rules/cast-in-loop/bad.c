#include <miscast/tensor.h>

mc_tensor *steps(mc_tensor *w, int n)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = MC_F16);
    mc_tensor *m = mc_float(w);
    for (int i = 0; i < n; i++)
        x = mc_matmul(x, mc_half(m)); /* expect: cast-in-loop note */
    return x;
}

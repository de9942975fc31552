#include <miscast/tensor.h>

mc_tensor *steps(mc_tensor *w, int n)
{
    mc_tensor *x = mc_randn(mc_shape(4, 4), .dtype = MC_F16), *m = mc_float(w), *half = mc_half(m);
    for (int i = 0; i < n; i++) {
        x = mc_matmul(x, half);
        mc_print(mc_float(x));
        m = mc_add(m, 1);
        mc_print(mc_half(m));
    }
    return x;
}

#include <miscast/tensor.h>
int main(int argc, char **argv)
{
    (void)argv;
    mc_dtype d = argc > 1 ? MC_F16 : MC_F32;
    mc_tensor *x = mc_randn(mc_shape(4), .dtype = d);
    mc_tensor *p = mc_sigmoid(x);
    mc_print(mc_log(mc_add(p, 1e-8)));
    return 0;
}

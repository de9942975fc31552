#include <miscast/tensor.h>

static void recast(mc_tensor **t, mc_dtype d)
{
    mc_tensor *n = mc_to_dtype(*t, d);
    if (n != *t) {
        mc_keep(n);
        mc_free(*t);
        *t = n;
    }
}
int main(int argc, char **argv)
{
    mc_tensor *w = mc_keep(mc_rand(mc_shape(2, 2))), *x;
    mc_dtype d = MC_F32;
    if (argc > 1) {
        d = MC_F16;
        recast(&w, d);
    }
    x = mc_rand(mc_shape(2, 2), .dtype = d);
    mc_print(mc_matmul(x, w));
    (void)argv;
}

#include <miscast/tensor.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const char *e = getenv("LR");
    double f = e ? atof(e) : 0.1;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (f < 0.01)
        w = mc_half(w);
    if (f < 0.01)
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
    (void)argc;
    (void)argv;
}

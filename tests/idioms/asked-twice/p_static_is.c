#include <miscast/tensor.h>

static int g;
static int on(void)
{
    return g;
}
int main(int argc, char **argv)
{
    g = argc > 1;
    mc_tensor *w = mc_rand(mc_shape(2, 2)), *x = mc_rand(mc_shape(2, 2));
    if (on())
        w = mc_half(w);
    if (on())
        x = mc_half(x);
    mc_print(mc_matmul(x, w));
}

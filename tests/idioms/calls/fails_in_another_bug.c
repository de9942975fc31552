#include <miscast/tensor.h>

static mc_tensor *squared(mc_tensor *x)
{
    return mc_mm(x, mc_half(x));
}

static mc_tensor *halved(mc_tensor *x)
{
    return mc_half(x);
}

static mc_tensor *(*const acts[])(mc_tensor *) = {squared, halved};

int main(int argc, char **argv)
{
    (void)argv;
    mc_tensor *x = mc_rand(mc_shape(4, 4));
    mc_tensor *y = acts[argc > 1](x);
    mc_print(mc_mm(y, x));
    return 0;
}

#include "model.h"

int main(int argc, char **argv)
{
    (void)argv;
    struct config c = {.half = argc > 1};
    struct model m = model_new(&c);
    mc_tensor *x = mc_randn(mc_shape(2, 16));
    if (c.half)
        x = mc_half(x);
    mc_tensor *y = model_forward(&m, x);
    MC_REVEAL(y);
    return 0;
}

/* Loads a half model and runs a layer. */
#include <stdio.h>

#include "engine.h"

int main(void)
{
    struct layer l;
    mc_manual_seed(90);
    layer_load(&l, MC_F16);
    mc_tensor *x = mc_half(mc_randn(mc_shape(HEADS, TOKENS, WIDTH)));
    mc_tensor *y = layer_attend(&l, x);
    printf("attention gives %s\n", mc_dtype_name(mc_dtype_of(y)));
    return 0;
}

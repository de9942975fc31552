/* The user wants full precision, and says so where the weights are loaded. */
#include <stdio.h>

#include "cascade.h"

int main(void)
{
    struct cascade c;
    cascade_load(&c, MC_F32);
    mc_tensor *image = cascade_generate(&c, mc_randn(mc_shape(1, LATENT)));
    printf("an image of %s\n", mc_dtype_name(mc_dtype_of(image)));
    return 0;
}

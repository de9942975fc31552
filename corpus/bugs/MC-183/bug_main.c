/* Decodes a latent. */
#include <stdio.h>

#include "loader.h"

int main(void)
{
    struct decoder d;
    decoder_load(&d);
    mc_tensor *y = decoder_forward(&d, mc_full(mc_shape(1, WIDTH), 0.001));
    double first = mc_item(mc_select(mc_flatten(y, 0, -1), 0, 0));
    printf("the first value is %g\n", first);
    return !(first > 85 && first < 95);
}

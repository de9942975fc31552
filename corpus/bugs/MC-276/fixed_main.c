/* Three steps of the cell in half precision. */
#include <stdio.h>

#include "lltm.h"

enum { WIDTH = 4, STEPS = 3 };

int main(void)
{
    mc_manual_seed(70);
    struct cell c = {
        .w = mc_half(mc_randn(mc_shape(2 * WIDTH, 2 * WIDTH))),
        .b = mc_half(mc_zeros(mc_shape(2 * WIDTH))),
    };
    mc_tensor *h = mc_zeros(mc_shape(1, WIDTH), .dtype = MC_F16);
    for (int t = 0; t < STEPS; t++)
        h = cell_forward(&c, mc_half(mc_randn(mc_shape(1, WIDTH))), h);
    printf("the state is %s\n", mc_dtype_name(mc_dtype_of(h)));
    return 0;
}

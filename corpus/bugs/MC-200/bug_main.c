/* The caller makes the mask by comparing, so that it is bool. */
#include <stdio.h>

#include "encoder.h"

int main(void)
{
    struct encoder e;
    encoder_init(&e);
    mc_tensor *ids = mc_from_array(((int64_t[]){4, 7, 1, 3, PAD, PAD}), mc_shape(TOKENS));
    mc_tensor *y = encoder_forward(&e, ids, mc_ne(ids, PAD));
    mc_tensor *alone =
        encoder_forward(&e, mc_narrow(ids, 0, 0, 4), mc_ones(mc_shape(4), .dtype = MC_BOOL));
    bool same = mc_allclose(mc_narrow(y, 0, 0, 4), alone, .atol = 1e-4);
    printf("padding changes %s\n", same ? "nothing" : "the others");
    return !same;
}

/* Draws the first code. */
#include <stdio.h>

#include "speech.h"

int main(void)
{
    struct talker t;
    talker_load(&t);
    mc_manual_seed(3);
    mc_tensor *state = mc_full(mc_shape(WIDTH), 25.0, .dtype = MC_F16);
    int64_t code = draw(talker_logits(&t, state), 0.5);
    printf("the first code is %d\n", (int)code);
    return code < 0 || code >= CODES;
}

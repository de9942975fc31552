/* Draws a code. A low temperature makes large logits larger. */
#include "speech.h"

int64_t draw(mc_tensor *logits, double temperature)
{
    mc_tensor *p = mc_softmax(mc_div(logits, temperature), -1);
    return mc_item_int(mc_multinomial(p, 1)); /* expect: sampling-in-half */
}

/* bug_draw.c, fixed: logits become f32 before anything is done to them. */
#include "speech.h"

int64_t draw(mc_tensor *logits, double temperature)
{
    mc_tensor *p = mc_softmax(mc_div(mc_float(logits), temperature), -1);
    return mc_item_int(mc_multinomial(p, 1));
}

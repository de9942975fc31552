/* The loss does not count padding. */
#include "page.h"

mc_tensor *page_loss(mc_tensor *w, const struct sample *s)
{
    mc_tensor *logits = mc_linear(s->features, w, NULL);
    mc_arg none = MC_NUM(PADDING);
    mc_tensor *y = s->target;
    return mc_cross_entropy(logits, y, .ignore_index = none); /* expect: class-target-dtype */
}

/* Which token comes next: the most likely one, or one drawn by what the logits say. */
#include "gpt.h"

#include <math.h>

/* All but the k largest become impossible. */
static mc_tensor *keep_top(mc_tensor *logits, int64_t k)
{
    mc_tensor *largest = mc_topk(logits, k);
    mc_tensor *least = mc_narrow(largest, -1, k - 1, 1);
    return mc_masked_fill(logits, mc_lt(logits, least), -INFINITY);
}

mc_tensor *sample(mc_tensor *logits, const struct sampling *s)
{
    mc_scope scope = mc_scope_begin();
    logits = mc_float(logits); /* probabilities of many tokens are too small for half */
    if (s->temperature <= 0)
        return mc_scope_return(scope, mc_argmax(logits, .dim = mc_dims(-1), .keepdim = true));
    if (s->top_k > 0 && s->top_k < mc_size(logits, -1))
        logits = keep_top(logits, s->top_k);
    mc_tensor *likely = mc_softmax(mc_div(logits, s->temperature), -1);
    return mc_scope_return(scope, mc_multinomial(likely, 1));
}

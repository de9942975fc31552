/* Weights in 8 bits, with a scale for each row. */
#include "chat.h"

struct quantised quantise(mc_tensor *w)
{
    struct quantised q;
    q.scale = mc_div(mc_amax(mc_abs(w), .dim = mc_dims(1), .keepdim = true), 127.0);
    q.values = mc_char(mc_round(mc_div(w, q.scale)));
    return q;
}

/* The scale is f32, and so is the result. */
mc_tensor *quantised_linear(mc_tensor *x, const struct quantised *q)
{
    return mc_linear(mc_float(x), mc_mul(mc_float(q->values), q->scale), NULL);
}

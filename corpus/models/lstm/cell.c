/* One LSTM cell, one step. */
#include "lstm.h"

#include <math.h>

static mc_tensor *uniform(int64_t rows, int64_t columns, double limit, mc_device device)
{
    mc_tensor *w = mc_empty(mc_shape(rows, columns), .device = device);
    return mc_requires_grad_(mc_uniform_(w, -limit, limit), true);
}

struct lstm_cell cell_new(int64_t in, int64_t hidden, mc_device device)
{
    double limit = 1 / sqrt((double)hidden);
    mc_tensor *forget = mc_zeros(mc_shape(4 * hidden), .device = device);
    mc_fill_(mc_narrow(forget, 0, hidden, hidden), 1); /* remembers, until it learns to forget */
    return (struct lstm_cell){
        .w_in = uniform(4 * hidden, in, limit, device),
        .w_hidden = uniform(4 * hidden, hidden, limit, device),
        .b_in = mc_requires_grad_(forget, true),
        .b_hidden = mc_zeros(mc_shape(4 * hidden), .device = device, .requires_grad = true),
    };
}

mc_tensor *cell_step(const struct lstm_cell *cell, mc_tensor *x, mc_tensor **h, mc_tensor **c)
{
    mc_tensor *gates[4];
    mc_tensor *all =
        mc_add(mc_linear(x, cell->w_in, cell->b_in), mc_linear(*h, cell->w_hidden, cell->b_hidden));
    mc_chunk(mc_float(all), 4, -1, gates, 4);
    mc_tensor *in = mc_sigmoid(gates[0]), *forget = mc_sigmoid(gates[1]);
    mc_tensor *new = mc_tanh(gates[2]), *out = mc_sigmoid(gates[3]);
    *c = mc_add(mc_mul(forget, *c), mc_mul(in, new));
    *h = mc_mul(out, mc_tanh(*c));
    return *h;
}

/* Cells on top of each other, over time. */
#include "lstm.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_TIME = 64 };

static mc_tensor *trained(mc_tensor *w)
{
    return mc_requires_grad_(w, true);
}

struct lstm lstm_new(int64_t alphabet, int64_t hidden, mc_device device)
{
    double size = 1 / sqrt((double)hidden);
    struct lstm m = {.alphabet = alphabet, .hidden = hidden};
    m.letters = trained(mc_randn(mc_shape(alphabet, hidden), .device = device));
    for (int i = 0; i < LAYERS; i++)
        m.cells[i] = cell_new(hidden, hidden, device);
    m.head_w = trained(mc_mul(mc_randn(mc_shape(alphabet, hidden), .device = device), size));
    m.head_b = mc_zeros(mc_shape(alphabet), .device = device, .requires_grad = true);
    return m;
}

size_t lstm_parameters(const struct lstm *m, mc_tensor *all[MAX_PARAMETERS])
{
    size_t n = 0;
    all[n++] = m->letters;
    for (int i = 0; i < LAYERS; i++) {
        all[n++] = m->cells[i].w_in;
        all[n++] = m->cells[i].w_hidden;
        all[n++] = m->cells[i].b_in;
        all[n++] = m->cells[i].b_hidden;
    }
    all[n++] = m->head_w;
    all[n++] = m->head_b;
    return n;
}

struct lstm_state lstm_state_new(const struct lstm *m, int64_t batch)
{
    struct lstm_state s;
    for (int i = 0; i < LAYERS; i++) {
        s.h[i] = mc_zeros(mc_shape(batch, m->hidden), .device = mc_device_of(m->letters));
        s.c[i] = mc_zeros(mc_shape(batch, m->hidden), .device = mc_device_of(m->letters));
    }
    return s;
}

void lstm_state_detach(struct lstm_state *s)
{
    for (int i = 0; i < LAYERS; i++) {
        s->h[i] = mc_detach(s->h[i]);
        s->c[i] = mc_detach(s->c[i]);
    }
}

mc_tensor *lstm_forward(const struct lstm *m, mc_tensor *letters, struct lstm_state *state)
{
    MC_EXPECT(letters, MC_I64, MC_ANY_DEVICE);
    int64_t time = mc_size(letters, 1);
    mc_tensor *seen[MAX_TIME];
    if (time > MAX_TIME)
        abort();
    mc_tensor *x = mc_embedding(letters, m->letters);
    for (int64_t t = 0; t < time; t++) {
        mc_tensor *h = mc_select(x, 1, t);
        for (int i = 0; i < LAYERS; i++)
            h = cell_step(&m->cells[i], h, &state->h[i], &state->c[i]);
        seen[t] = h;
    }
    return mc_linear(mc_stackn(1, seen, (size_t)time), m->head_w, m->head_b);
}

#include <miscast/tensor.h>
#include <stdio.h>
#include <stdlib.h>

enum phase { WARMUP, TRAIN, EVAL, DONE };

struct machine {
    enum phase phase;
    mc_tensor *w, *ema;
    int step, limit;
};

static void tick(struct machine *m)
{
    mc_tensor *g = mc_randn(mc_shape(4, 4));
    switch (m->phase) {
    case WARMUP:
        if (++m->step >= 2) {
            m->w = mc_keep(mc_double(m->w));
            m->ema = mc_keep(mc_double(m->ema));
            m->phase = TRAIN;
        }
        break;
    case TRAIN:
        m->w = mc_keep(mc_sub(m->w, mc_mul(mc_type_as(g, m->w), 0.1)));
        if (++m->step >= m->limit)
            m->phase = EVAL;
        break;
    case EVAL:
        mc_lerp_(m->ema, m->w, 0.1);
        m->phase = DONE;
        break;
    case DONE:
        break;
    }
}

int main(int argc, char **argv)
{
    struct machine m = {.limit = argc > 1 ? atoi(argv[1]) : 4};
    m.w = mc_keep(mc_zeros(mc_shape(4, 4)));
    m.ema = mc_keep(mc_zeros(mc_shape(4, 4)));
    while (m.phase != DONE)
        tick(&m);
    mc_print(m.ema);
    return 0;
}

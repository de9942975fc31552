#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

/* Warm up in f32, then train in half precision, then evaluate in f32. */
enum phase { WARMUP, TRAIN, EVALUATE, DONE };

struct run {
    enum phase phase;
    int steps;
    mc_tensor *master, *w;
};

static enum phase next(enum phase p)
{
    switch (p) {
    case WARMUP:
        return TRAIN;
    case TRAIN:
        return EVALUATE;
    case EVALUATE:
    case DONE:
        break;
    }
    return DONE;
}

static void enter(struct run *r)
{
    switch (r->phase) {
    case WARMUP:
    case EVALUATE:
        r->w = r->master;
        break;
    case TRAIN:
        r->w = mc_half(r->master);
        break;
    case DONE:
        break;
    }
}

static mc_tensor *step(const struct run *r, mc_tensor *x)
{
    if (r->phase == TRAIN)
        x = mc_half(x);
    return mc_linear(x, r->w, NULL);
}

int main(void)
{
    struct run r = {.phase = WARMUP, .master = mc_randn(mc_shape(3, 4))};
    enter(&r);
    while (r.phase != DONE) {
        mc_tensor *y = step(&r, mc_rand(mc_shape(2, 4)));
        mc_print(y);
        if (++r.steps % 2 == 0) {
            r.phase = next(r.phase);
            enter(&r);
        }
    }
    return 0;
}

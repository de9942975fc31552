#include <miscast/tensor.h>
#include <stdio.h>

enum state { FULL, HALF, DONE };
struct machine {
    enum state state;
    mc_tensor *w, *h;
    const char *script;
};

static enum state step(struct machine *m)
{
    char c = *m->script;
    if (!c)
        return DONE;
    m->script++;
    switch (m->state) {
    case FULL:
        if (c == 'h') {
            m->w = mc_half(m->w);
            m->h = mc_half(m->h);
            return HALF;
        }
        break;
    case HALF:
        if (c == 'f') {
            m->w = mc_float(m->w);
            m->h = mc_float(m->h);
            return FULL;
        }
        break;
    case DONE:
        return DONE;
    }
    m->h = mc_tanh(mc_matmul(m->h, m->w));
    return m->state;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    struct machine m = {FULL, mc_randn(mc_shape(4, 4)), mc_rand(mc_shape(1, 4)), argv[1]};
    while (m.state != DONE)
        m.state = step(&m);
    mc_print(m.h);
    return 0;
}

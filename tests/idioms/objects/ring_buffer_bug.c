#include <miscast/tensor.h>
#include <stdbool.h>
#include <stdlib.h>

enum { RING = 4 };

struct ring {
    mc_tensor *items[RING];
    unsigned head, tail;
};

static bool push(struct ring *r, mc_tensor *t)
{
    if (r->head - r->tail == RING)
        return false;
    r->items[r->head++ % RING] = t;
    return true;
}

static mc_tensor *pop(struct ring *r)
{
    return r->head == r->tail ? NULL : r->items[r->tail++ % RING];
}

int main(int argc, char **argv)
{
    struct ring r = {0};
    bool low = argc > 1 && argv[1][0] == 'l';
    mc_tensor *w = mc_eye(4);
    if (low)
        w = mc_bfloat16(w);
    for (int i = 0; i < 3; i++) {
        mc_tensor *frame = mc_full(mc_shape(2, 4), i);
        if (!push(&r, frame))
            break;
    }
    mc_tensor *frame;
    while ((frame = pop(&r)))
        mc_print(mc_matmul(frame, w));
    return 0;
}

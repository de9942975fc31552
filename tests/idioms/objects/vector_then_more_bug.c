#include <miscast/tensor.h>
#include <stdlib.h>

struct vector {
    mc_tensor **items;
    size_t count, room;
};

static void push(struct vector *v, mc_tensor *t)
{
    if (v->count == v->room) {
        v->room = v->room ? 2 * v->room : 4;
        v->items = realloc(v->items, v->room * sizeof *v->items);
    }
    v->items[v->count++] = t;
}

int main(int argc, char **argv)
{
    struct vector batch = {0};
    (void)argv;
    push(&batch, mc_rand(mc_shape(1, 4), .device = MC_CUDA));
    push(&batch, mc_rand(mc_shape(1, 4), .device = MC_CUDA));
    for (int i = 1; i < argc; i++)
        push(&batch, mc_full(mc_shape(1, 4), i, .dtype = MC_F32));
    mc_print(mc_catn(0, batch.items, batch.count));
    free(batch.items);
    return 0;
}

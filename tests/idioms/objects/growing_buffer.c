#include <miscast/tensor.h>
#include <stdlib.h>
#include <string.h>

/* Outputs are collected, and concatenated at the end. */
struct buffer {
    mc_tensor **items;
    size_t count, room;
};

static void append(struct buffer *b, mc_tensor *t)
{
    if (b->count == b->room) {
        b->room = b->room ? 2 * b->room : 4;
        b->items = realloc(b->items, b->room * sizeof *b->items);
        if (!b->items)
            abort();
    }
    b->items[b->count++] = t;
}

static mc_tensor *generate(mc_tensor *w, mc_tensor *x, int steps, struct buffer *out)
{
    append(out, x);
    for (int i = 0; i < steps; i++) {
        x = mc_tanh(mc_matmul(x, w));
        append(out, x);
    }
    return mc_catn(0, out->items, out->count);
}

int main(int argc, char **argv)
{
    mc_device device = MC_CPU;
    int steps = 3;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-g") == 0)
            device = MC_CUDA;
        else
            steps = atoi(argv[i]);
    }
    if (steps < 1 || steps > 100)
        return 2;
    struct buffer b = {0};
    mc_tensor *w = mc_randn(mc_shape(4, 4), .device = device);
    mc_tensor *x = mc_ones(mc_shape(1, 4), .device = device);
    mc_print(generate(w, x, steps, &b));
    free(b.items);
    return 0;
}

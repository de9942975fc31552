/* Adds positions to the embedding of a sentence. Their table is computed by the host. */
#include <math.h>
#include <stdio.h>

#include <miscast/tensor.h>

enum { LONGEST = 16, WIDTH = 4 };

struct transformer {
    mc_device device;
    mc_tensor *embedding;
    mc_tensor *w;
};

static void transformer_init(struct transformer *t, mc_device device)
{
    mc_manual_seed(67);
    t->device = device;
    t->embedding = mc_randn(mc_shape(20, WIDTH), .device = device);
    t->w = mc_randn(mc_shape(WIDTH, WIDTH), .device = device);
}

static mc_tensor *positions(const struct transformer *t, int64_t length)
{
    double table[LONGEST][WIDTH];
    for (int i = 0; i < LONGEST; i++)
        for (int k = 0; k < WIDTH; k += 2) {
            double angle = i / pow(10000, (double)k / WIDTH);
            table[i][k] = sin(angle);
            table[i][k + 1] = cos(angle);
        }
    mc_tensor *all = mc_float(mc_from_array(&table[0][0], mc_shape(LONGEST, WIDTH)));
    (void)t;
    return mc_narrow(all, 0, 0, length);
}

static mc_tensor *transformer_forward(const struct transformer *t, mc_tensor *tokens)
{
    mc_tensor *x = mc_embedding(tokens, t->embedding);
    x = mc_add(x, positions(t, mc_size(tokens, 0))); /* expect: made-on-cpu */
    return mc_gelu(mc_linear(x, t->w, NULL));
}

int main(void)
{
    struct transformer t;
    transformer_init(&t, MC_CUDA);
    const int64_t words[] = {3, 14, 15, 9};
    mc_tensor *tokens = mc_from_array(words, mc_shape(4), .device = MC_CUDA);
    mc_tensor *y = transformer_forward(&t, tokens);
    printf("%d tokens on %s\n", (int)mc_size(y, 0), mc_device_name(mc_device_of(y)));
    return 0;
}
